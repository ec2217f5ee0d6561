//===- Moa.cpp - the adaptation "moa" -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptations.h"

using namespace pruner;

namespace {
/// Momentum adaptation (MoA-Pruner).
class Moa : public Adaptation {
public:
  std::string name() const override { return "moa"; }
  std::string summary() const override {
    return "trains from a slow copy of the weights, which then moves a little "
           "towards the result";
  }
  std::vector<Ability> needs() const override {
    return {Ability::Learns, Ability::ChangesSteps, Ability::FixedParameters};
  }
  void declare(OptionTable &table) override {
    table.real("momentum", options.momentum, 0, 1,
               "share of the slow weights that an update keeps");
    table.integer("period", options.period, 1, 100000,
                  "calls of an update per training");
  }
  OptionValues optionsForOneUpdate() const override { return {{"period", 1}}; }
  const SlowCopy *slowCopy() const override { return &options; }

private:
  SlowCopy options;
};
} // namespace

std::unique_ptr<Adaptation> pruner::createMoa() {
  return std::make_unique<Moa>();
}
