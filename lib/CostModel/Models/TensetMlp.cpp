//===- TensetMlp.cpp - description of the model "tensetmlp" ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../TypedKind.h"
#include "Models.h"
#include "pruner/CostModel/Models/Pacm.h"

using namespace pruner;

void TensetMlpOptions::declare(OptionTable &table) {
  RankingOptions::declare(table);
  table.word("kernels", kernels, {"fused", "plain"},
             "fused: faster code for slow operations of LibTorch on CPUs; "
             "plain: LibTorch only, as on other devices");
  table.word("terms", terms, {"yes", "no"},
             "whether the network also reads the terms of the analytical "
             "model");
  table.real("prior", prior, 0, 100,
             "weight of the analytical model's prediction in the score, per "
             "factor of two in time");
  table.word("batch-norm", batchNorm, {"running", "batch"},
             "statistics for scoring: running ones, or those of the scored "
             "batch, as in the published code");
}

namespace {
class TensetMlpKind : public NetworkKind<TensetMlpOptions> {
  std::string name() const override { return "tensetmlp"; }
  std::string summary() const override {
    return "a perceptron over statements (TenSet)";
  }
  const char *entry() const override { return "prunerCreateTensetMlp"; }
};
} // namespace

const ModelKind &pruner::tensetMlpKind() {
  static const TensetMlpKind kind;
  return kind;
}
