//===- FineTune.cpp - the adaptation "fine-tune" --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptations.h"

using namespace pruner;

namespace {
class FineTune : public Adaptation {
public:
  std::string name() const override { return "fine-tune"; }
  std::string summary() const override {
    return "continues from the result of the last update";
  }
  std::vector<Ability> needs() const override {
    return {Ability::Learns, Ability::Continues};
  }
};
} // namespace

std::unique_ptr<Adaptation> pruner::createFineTune() {
  return std::make_unique<FineTune>();
}
