//===- InstructionProbeTest.cpp -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/InstructionProbe.h"
#include "pruner/Runtime/FmaPeak.h"

#include "gtest/gtest.h"

#include <cmath>
#include <set>

using namespace pruner;

TEST(InstructionProbe, MeasuresEachInstructionOnce) {
  std::vector<InstructionRate> rates = measureInstructions(0.05);
  std::set<InstructionRate::Kind> kinds;
  for (const InstructionRate &rate : rates) {
    EXPECT_TRUE(kinds.insert(rate.kind).second) << rate.name;
    EXPECT_GT(rate.seconds, 0) << rate.name;
    EXPECT_TRUE(std::isfinite(rate.perSecond())) << rate.name;
    bool tile = rate.kind == InstructionRate::Kind::ByteTiles ||
                rate.kind == InstructionRate::Kind::BrainTiles;
    EXPECT_EQ(rate.latency > 0, tile) << rate.name;
  }
  if (!rates.empty())
    EXPECT_EQ(rates.front().kind, InstructionRate::Kind::F32);
}

// Both measure independent multiply-adds of the widest vectors. A factor of
// three covers any disturbance but not a loop that was dropped or shortened.
TEST(InstructionProbe, AgreesWithTheMultiplyAddPeak) {
  std::vector<InstructionRate> rates = measureInstructions(0.1);
  if (rates.empty())
    GTEST_SKIP() << "no probes for this architecture";
  double peak = measureFmaPeak(0.05);
  EXPECT_GT(rates.front().perSecond(), peak / 3);
  EXPECT_LT(rates.front().perSecond(), peak * 3);
}
