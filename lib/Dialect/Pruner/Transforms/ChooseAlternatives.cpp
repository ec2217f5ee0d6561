//===- ChooseAlternatives.cpp - keep the chosen forms ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Dialect/Pruner/Utils/Alternatives.h"

namespace pruner {
#define GEN_PASS_DEF_CHOOSEALTERNATIVESPASS
#include "pruner/Dialect/Pruner/Transforms/Passes.h.inc"
} // namespace pruner

namespace {
struct ChooseAlternativesPass
    : public pruner::impl::ChooseAlternativesPassBase<ChooseAlternativesPass> {
  void runOnOperation() override {
    numReplaced = pruner::chooseAlternatives(getOperation());
    if (numReplaced == 0)
      markAllAnalysesPreserved();
  }
};
} // namespace
