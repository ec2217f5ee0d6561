//===- Moses.cpp - the adaptation "moses" ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptations.h"

using namespace pruner;

namespace {
/// Like fine-tune, but only some parameters take steps, towards representations
/// that do not distinguish the machines (Moses, HotMobile 2023, section 3.3).
class Moses : public Adaptation {
public:
  std::string name() const override { return "moses"; }
  std::string summary() const override {
    return "trains the parameters that matter most for the new machine, with "
           "an adversary; the others decay";
  }
  std::vector<Ability> needs() const override {
    return {Ability::Learns, Ability::ChangesSteps};
  }
  void declare(OptionTable &table) override {
    table.real("transferable", options.transferable, 0, 1,
               "share of the parameters that take gradient steps");
    table.word("boundary", options.boundary, {"tensor", "network"},
               "scope of the share: each tensor or the whole network");
    table.real("decay", options.decay, 0, 1000,
               "decay of the other parameters in a step, times the learning "
               "rate");
    table.real(
        "adversary", options.adversary, 0, 1000,
        "maximum weight of the domain classifier's reversed gradient; 0: "
        "none");
  }
  const PartialSteps *partialSteps() const override { return &options; }

private:
  PartialSteps options;
};
} // namespace

std::unique_ptr<Adaptation> pruner::createMoses() {
  return std::make_unique<Moses>();
}
