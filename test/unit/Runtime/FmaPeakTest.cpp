//===- FmaPeakTest.cpp - plausibility of measured peaks -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/FmaPeak.h"
#include "pruner/Runtime/Timer.h"

#include <gtest/gtest.h>
#include <vector>

using namespace pruner;

TEST(FmaPeak, ExceedsPlainCode) {
  double peak = measureFmaPeak();
  // One dependent chain of multiply-adds is far slower than independent ones
  // over whole vectors, on any core: the latency is at least 3.
  volatile float seed = 0.999f;
  float s = seed, x = 1;
  TimingOptions options;
  TimingResult chain = timeCallback(
      [&] {
        for (int i = 0; i < 100000; ++i)
          x = x * s + 0.001f;
        seed = x < 10 ? s : 0.5f;
      },
      options);
  double plain = 2 * 100000 / chain.minimum;
  EXPECT_GT(peak, 4 * plain) << fmaPeakVariant();
  // No current core computes 100 f32 FMAs per cycle at 10 GHz.
  EXPECT_LT(peak, 100 * 2 * 10e9);
}

TEST(FmaPeak, IsRepeatableWithinAFactor) {
  double a = measureFmaPeak(), b = measureFmaPeak();
  EXPECT_LT(std::max(a, b) / std::min(a, b), 3) << a << " " << b;
}

TEST(ReadBandwidth, SmallBuffersAreFasterThanLargeOnes) {
  double l1 = measureReadBandwidth(16 << 10);
  double memory = measureReadBandwidth(size_t(256) << 20, 0.1);
  EXPECT_GT(l1, 1.5 * memory) << l1 << " " << memory;
  EXPECT_GT(memory, 1e8);
  EXPECT_GT(measureReadBandwidth(1, 0.001), 0); // rounded up
}
