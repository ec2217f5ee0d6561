//===- Pacm.cpp - description of the model "pacm" -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Models/Pacm.h"
#include "../TypedKind.h"
#include "Models.h"

using namespace pruner;

void PacmOptions::declare(OptionTable &table) {
  TensetMlpOptions::declare(table);
  table.word("branches", branches, {"both", "statements", "dataflow"},
             "the features to read; the output of an absent branch is 0");
}

namespace {
class PacmKind : public NetworkKind<PacmOptions> {
  std::string name() const override { return "pacm"; }
  std::string summary() const override {
    return "a network over statements and the data movement between them "
           "(Pruner)";
  }
  std::string adaptationOfAlias(const std::string &alias) const override {
    return alias == "moa" ? "moa" : "";
  }
  /// Published weights do not name their model. "moa" is an older name.
  bool owns(const TensorFile &file) const override {
    std::string model = file.stated("model");
    return model.empty() || model == "moa" || model == name();
  }
  const char *entry() const override { return "prunerCreatePacm"; }
};
} // namespace

const ModelKind &pruner::pacmKind() {
  static const PacmKind kind;
  return kind;
}
