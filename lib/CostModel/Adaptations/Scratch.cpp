//===- Scratch.cpp - the adaptation "scratch" -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptations.h"

using namespace pruner;

namespace {
class Scratch : public Adaptation {
public:
  std::string name() const override { return "scratch"; }
  std::string summary() const override {
    return "trains a new model on new measurements only";
  }
  std::vector<Ability> needs() const override { return {Ability::Learns}; }
  bool usesWeights() const override { return false; }
};
} // namespace

std::unique_ptr<Adaptation> pruner::createScratch() {
  return std::make_unique<Scratch>();
}
