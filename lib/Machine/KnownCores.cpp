//===- KnownCores.cpp - instructions of known CPUs ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnownCores.h"

using namespace pruner;

void detail::setKnownCosts(CoreModel &core, llvm::StringRef arch) {
  // Zen 4 executes `vdpbf16ps` as often as a multiply-add (measured), an
  // Emerald Rapids a quarter as often (measured).
  core.brainFloatDotCost = arch.starts_with("znver") ? 1 : 4;
}
