//===- CacheReplayTest.cpp - the caches as a network leaves them ----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Runtime/CacheReplay.h"
#include "pruner/Runtime/Timer.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

using namespace pruner;

namespace {
struct Replay : testing::Test {
  ReplayMemory copies, walks;
  CacheReplay::Options options;
  std::vector<uint8_t> near = std::vector<uint8_t>(1000, 7);
  std::vector<uint8_t> far = std::vector<uint8_t>(1 << 16);

  Replay() {
    options.walkBytes = 1 << 16;
    std::iota(far.begin(), far.end(), 0);
  }
  CacheReplay make(int64_t nearDistance, int64_t farDistance) {
    auto replay = CacheReplay::create(copies, walks,
                                      {{near.data(), near.size(), nearDistance},
                                       {far.data(), far.size(), farDistance}},
                                      options);
    EXPECT_TRUE(replay.has_value());
    return std::move(*replay);
  }
};
} // namespace

TEST_F(Replay, FarOperandsComeInTurnsThatAddUpToTheirDistance) {
  const int64_t distance = 1 << 20;
  CacheReplay replay = make(0, distance);
  EXPECT_EQ(replay.numCopies(0), 1u);
  size_t count = replay.numCopies(1);
  // Between two uses of a copy lie `count` walks and count - 1 other copies.
  EXPECT_GE(count * (options.walkBytes + far.size()) + near.size(),
            size_t(distance));
  EXPECT_LT((count - 1) * (options.walkBytes + far.size()), size_t(distance));
  std::set<void *> seen;
  for (size_t n = 0; n < 3 * count; ++n) {
    llvm::ArrayRef<void *> operands = replay.next();
    ASSERT_EQ(operands.size(), 2u);
    EXPECT_EQ(std::memcmp(operands[0], near.data(), near.size()), 0);
    EXPECT_EQ(std::memcmp(operands[1], far.data(), far.size()), 0);
    for (void *operand : operands)
      EXPECT_EQ(reinterpret_cast<uintptr_t>(operand) % 64, 0u);
    seen.insert(operands[1]);
    EXPECT_EQ(seen.size(), std::min(n + 1, count));
  }
}

TEST_F(Replay, DistancesWithinAWalkNeedNoCopies) {
  CacheReplay replay = make(1 << 10, 1 << 16);
  EXPECT_EQ(replay.numCopies(0), 1u);
  EXPECT_EQ(replay.numCopies(1), 1u);
  // Nothing is far away: nothing is walked either.
  CacheReplay warm = make(0, 0);
  EXPECT_EQ(std::memcmp(warm.next()[1], far.data(), far.size()), 0);
}

TEST_F(Replay, DistancesAreLimited) {
  options.mostDistance = 1 << 18;
  CacheReplay replay = make(0, int64_t(1) << 40);
  EXPECT_EQ(replay.numCopies(1), 2u);
}

TEST_F(Replay, EmptyOperandsHaveAnAddress) {
  auto replay = CacheReplay::create(
      copies, walks, {{nullptr, 0, 1 << 20}, {far.data(), far.size(), 0}},
      options);
  ASSERT_TRUE(replay.has_value());
  EXPECT_NE(replay->next()[0], nullptr);
}

TEST_F(Replay, EveryThreadOfATeamTakesPart) {
  options.threads = 3;
  std::vector<unsigned> called;
  options.team = [&](llvm::function_ref<void(unsigned)> work) {
    for (unsigned thread = 0; thread < 3; ++thread) {
      called.push_back(thread);
      work(thread);
    }
  };
  CacheReplay replay = make(0, 1 << 20);
  (void)replay.next();
  (void)replay.next();
  EXPECT_EQ(called, std::vector<unsigned>({0, 1, 2, 0, 1, 2}));
}

// What is read behind a replay takes as long as it is far away. The least of
// many times: others use the machine, too.
TEST_F(Replay, FartherAwayTakesLonger) {
  options.walkBytes = 0;
  std::vector<uint8_t> data(1 << 15, 1);
  auto least = [&](int64_t distance) {
    auto replay = CacheReplay::create(
        copies, walks, {{data.data(), data.size(), distance}}, options);
    int64_t best = INT64_MAX;
    for (int n = 0; n < 40; ++n) {
      const auto *operand =
          static_cast<const volatile uint8_t *>(replay->next()[0]);
      int64_t start = nowNanoseconds();
      // Each address follows from the line before, and no prefetcher sees it.
      size_t at = 0;
      for (size_t line = 0; line < data.size() / 64; ++line)
        at = (at + 64 * (129 * operand[at])) % data.size();
      best = std::min(best, nowNanoseconds() - start);
    }
    return best;
  };
  EXPECT_LT(2 * least(0), least(int64_t(32) << 20));
}
