//===- RooflineTest.cpp - the roofline of one core ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Roofline.h"

#include "gtest/gtest.h"

#include <cmath>

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

TEST(Roofline, TheFastestInstructionOfATypeIsTheRoof) {
  using Kind = InstructionRate::Kind;
  // 32 operations in a nanosecond, and so on.
  std::vector<InstructionRate> rates = {
      {Kind::F32, "vfmadd231ps", 1e-9, 0, 32},
      {Kind::IntegerDot, "vpdpbusd", 1e-9, 0, 128},
      {Kind::IntegerPairs, "vpmaddwd", 2e-9, 0, 64},
      {Kind::BrainFloatDot, "vdpbf16ps", 4e-9, 0, 64}};
  auto text = [&](ElementType operands, ElementType accumulators) {
    ProductRate rate = productRate(rates, operands, accumulators);
    return rate.instruction + " " +
           std::to_string(std::lround(rate.perSecond / 1e9));
  };
  EXPECT_EQ(text(ElementType::F32, ElementType::F32), "vfmadd231ps 32");
  EXPECT_EQ(text(ElementType::I8, ElementType::I32), "vpdpbusd 128");
  EXPECT_EQ(text(ElementType::I16, ElementType::I32), "vpdpwssd 64");
  // Slower than vectors of f32.
  EXPECT_EQ(text(ElementType::BF16, ElementType::F32), "vfmadd231ps 32");
  EXPECT_EQ(text(ElementType::F16, ElementType::F16), " 0");
  rates.push_back({Kind::ByteTiles, "tdpbssd", 8e-9, 0, 32768});
  EXPECT_EQ(text(ElementType::I8, ElementType::I32), "tdpbssd 4096");
}
