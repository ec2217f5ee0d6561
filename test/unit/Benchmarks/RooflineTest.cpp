//===- RooflineTest.cpp - the roofline of one core ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Roofline.h"

#include "gtest/gtest.h"

using namespace pruner;
using namespace pruner::bench;

static Machine caches() {
  Machine machine;
  machine.l1Bytes = 32 << 10;
  machine.l2Bytes = 512 << 10;
  machine.l3Bytes = 32 << 20;
  return machine;
}

TEST(Roofline, LargerOfComputeAndMemory) {
  // 2 GFLOP at 100 GFLOP/s, and 12 MB at 50 GB/s.
  Roofline product = roofline(2e9, 12e6, 100e9, 50e9, caches());
  EXPECT_DOUBLE_EQ(product.computeSeconds, 0.02);
  EXPECT_DOUBLE_EQ(product.memorySeconds, 0.00024);
  EXPECT_DOUBLE_EQ(product.seconds(), 0.02);
  EXPECT_EQ(product.bound, "FMA");
  EXPECT_DOUBLE_EQ(product.share(0.04), 0.5);

  Roofline copy = roofline(0, 12e6, 100e9, 50e9, caches());
  EXPECT_DOUBLE_EQ(copy.seconds(), 0.00024);
  EXPECT_EQ(copy.bound, "L3");
}

TEST(Roofline, UnknownRatesAreNoBound) {
  Roofline unknown = roofline(1e9, 1e6, 0, 0, caches());
  EXPECT_EQ(unknown.seconds(), 0);
  EXPECT_EQ(unknown.share(1), 0);
  EXPECT_EQ(roofline(1e9, 1e6, 1e9, 1e9, caches()).share(0), 0);
}

TEST(Roofline, CoresScaleTheBound) {
  Roofline roof = roofline(1e9, 1e6, 1e9, 1e9, caches());
  EXPECT_DOUBLE_EQ(roof.share(2), 0.5);
  EXPECT_DOUBLE_EQ(roof.share(2, 4), 0.125);
}

TEST(Roofline, LevelsByFootprint) {
  Machine machine = caches();
  EXPECT_STREQ(memoryLevel(1000, machine), "L1");
  EXPECT_STREQ(memoryLevel(32 << 10, machine), "L1");
  EXPECT_STREQ(memoryLevel((32 << 10) + 4, machine), "L2");
  EXPECT_STREQ(memoryLevel(1e6, machine), "L3");
  EXPECT_STREQ(memoryLevel(64e6, machine), "DRAM");
  // A machine without a level skips it.
  machine.l3Bytes = 0;
  EXPECT_STREQ(memoryLevel(1e6, machine), "DRAM");
}

TEST(Probes, BestAndSteadiness) {
  Probes probes;
  EXPECT_EQ(probes.best(), 0);
  EXPECT_EQ(probes.steadiness(), 1);
  for (double rate : {90.0, 100.0, 95.0})
    probes.add(rate);
  EXPECT_EQ(probes.best(), 100);
  EXPECT_DOUBLE_EQ(probes.steadiness(), 0.9);
}
