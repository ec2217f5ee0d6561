//===- ProbeTest.cpp - chunks of a probe are long enough ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Probe.h"

#include <gtest/gtest.h>

using namespace pruner;

static void waitFor(int64_t nanoseconds) {
  int64_t end = nowNanoseconds() + nanoseconds;
  while (nowNanoseconds() < end)
    continue;
}

/// Others use the machine as well. Undisturbed chunks correct the effect of
/// disturbed ones.
static void measureOften(Probe &probe) {
  for (int n = 0; n < 100; ++n)
    probe.measure();
}

TEST(Probe, ChunksAreLong) {
  int64_t last = 0;
  Probe probe([&](int64_t rounds) { waitFor(1000 * (last = rounds)); },
              /*chunk=*/50000);
  probe.measure();
  EXPECT_GE(last, 32);
  EXPECT_GE(probe.seconds(), 1e-6);
}

// A thread that is suspended during a chunk of one round: the number of rounds
// would stay 1, and the probe would measure the resolution of the clock.
TEST(Probe, DisturbedFirstChunkDoesNotFixTheRounds) {
  int64_t calls = 0, last = 0;
  Probe probe(
      [&](int64_t rounds) {
        waitFor(calls++ == 0 ? 1000000 : 1000 * (last = rounds));
      },
      /*chunk=*/50000);
  EXPECT_EQ(calls, 1);
  measureOften(probe);
  EXPECT_GE(last, 32);
  EXPECT_GE(probe.seconds(), 1e-6);
  EXPECT_LT(probe.seconds(), 1e-4);
}
