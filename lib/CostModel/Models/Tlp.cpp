//===- Tlp.cpp - description of the model "tlp" ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Models/Tlp.h"
#include "../TypedKind.h"
#include "Models.h"

using namespace pruner;

void TlpOptions::declare(OptionTable &table) {
  RankingOptions::declare(table);
  table.integer("width", width, 32, 1024,
                "width of the network after its first layers, a multiple of "
                "32; published: 256");
  table.word("language", language, {"schedule", "recorded"},
             "language of the schedules: Pruner's primitives, or those of the "
             "tuner that measured the records");
  table.integer("sequence", sequence, 1, 256,
                "maximum number of primitives of a schedule; the rest is "
                "cropped; published: 25");
  table.word("numbers", numbers, {"log", "raw"},
             "logarithms of the parameters of primitives, or the parameters");
  table.word("heads", heads, {"platform", "one"},
             "a head for each platform, or one for all");
  table.word("trunk", trunk, {"train", "keep"},
             "train the layers that the heads share, or keep them as loaded");
  table.word("scale-by", scaleBy, {"type", "column"},
             "normalize parameters over the primitives of their type, with "
             "types as 0 and 1; or all columns over all primitives");
  table.word("equal", equal, {"median", "best", "apart"},
             "train on equal sequences of a task as one program with the "
             "median or the best of their labels, or as they are");
}

namespace {
class TlpKind : public NetworkKind<TlpOptions> {
  std::string name() const override { return "tlp"; }
  std::string summary() const override {
    return "attention over the primitives of a schedule (TLP)";
  }
  std::string lacks(Ability ability) const override {
    return ability == Ability::FixedParameters
               ? "the slow copy would need a head for every new platform"
               : "";
  }
  std::string read(const OptionValues &values,
                   TlpOptions &options) const override {
    std::string error = NetworkKind::read(values, options);
    if (error.empty() && options.width % 32)
      error = "option 'width' must be a multiple of 32";
    return error;
  }
  const char *entry() const override { return "prunerCreateTlp"; }
};
} // namespace

const ModelKind &pruner::tlpKind() {
  static const TlpKind kind;
  return kind;
}
