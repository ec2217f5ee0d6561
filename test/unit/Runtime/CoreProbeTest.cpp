//===- CoreProbeTest.cpp - plausibility of measured costs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/CoreProbe.h"
#include "pruner/Runtime/FmaPeak.h"

#include "llvm/Support/Compiler.h"

#include <gtest/gtest.h>

using namespace pruner;

// The bounds hold for every core with vectors, even if it is shared. They
// detect a probe that measures something else.
TEST(CoreProbe, CostsArePlausible) {
  if (LLVM_ADDRESS_SANITIZER_BUILD)
    GTEST_SKIP() << "AddressSanitizer changes the times of instructions";
  CoreProbe probe = probeCore(256 << 10, /*seconds=*/0.2);
  EXPECT_GT(probe.cycle, 1 / 8e9);
  EXPECT_LT(probe.cycle, 1 / 0.3e9);
  EXPECT_GT(probe.line, 0.1 * probe.cycle);
  EXPECT_LT(probe.line, 100 * probe.cycle);
  EXPECT_GT(probe.page, 0.1 * probe.cycle);
  EXPECT_LT(probe.page, 500 * probe.cycle);
  if (probe.fma == 0)
    GTEST_SKIP() << "no probe of vectors for this architecture";
  EXPECT_GT(probe.fma, 1.5 * probe.cycle);
  EXPECT_LT(probe.fma, 15 * probe.cycle);
  // Independent multiply-adds are faster than dependent ones; peak counts two
  // operations for each of up to 16 elements.
  EXPECT_GT(probe.fma * measureFmaPeak(), 4 * 2);
  EXPECT_GT(probe.load, 0.1 * probe.cycle);
  EXPECT_LT(probe.load, 4 * probe.cycle);
  EXPECT_GT(probe.store, 0.1 * probe.cycle);
  EXPECT_LT(probe.store, 6 * probe.cycle);
  EXPECT_GE(probe.restart, probe.cycle);
  EXPECT_LT(probe.restart, 300 * probe.cycle);
}

TEST(CoreProbe, DistantLinesTakeLonger) {
  CoreProbe near = probeCore(8 << 10, 0.1);
  CoreProbe far = probeCore(size_t(256) << 20, 0.2);
  EXPECT_GT(far.line, 2 * near.line) << near.line << " " << far.line;
}
