//===- KnownCores.cpp - instructions of known CPUs ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnownCores.h"

#include "llvm/ADT/StringSwitch.h"

using namespace pruner;

void detail::setKnownCosts(CoreModel &core, llvm::StringRef arch) {
  // Zen 4 executes `vdpbf16ps` as often as a multiply-add (measured), an
  // Emerald Rapids a quarter as often (measured).
  core.brainFloatDotCost = arch.starts_with("znver") ? 1 : 4;
  // Entries of the second-level data TLB, from the optimization guides of AMD
  // (families 17h, 19h, 1Ah) and Intel.
  core.translatedPages =
      llvm::StringSwitch<double>(arch)
          .Cases({"znver2", "znver3"}, 2048)
          .Case("znver4", 3072)
          .Case("znver5", 4096)
          .Cases({"icelake-client", "icelake-server", "tigerlake", "rocketlake",
                  "alderlake", "raptorlake"},
                 2048)
          .Cases({"sapphirerapids", "emeraldrapids", "graniterapids"}, 2048)
          .Default(CoreModel().translatedPages);
}
