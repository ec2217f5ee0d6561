//===- CacheReplayTest.cpp - restore cache states -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/CacheReplay.h"
#include "pruner/Runtime/Timer.h"

#include "llvm/Support/Compiler.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>

using namespace pruner;

namespace {
struct Replay : testing::Test {
  CacheReplay::Options options;
  std::vector<uint8_t> data = std::vector<uint8_t>(1 << 16);

  Replay() {
    std::iota(data.begin(), data.end(), 0);
    options.walkBytes = 1 << 16;
    options.reach = 1 << 20;
  }

  /// Nanoseconds to read the data after a replay. Returns the minimum of many
  /// times, because others use the machine as well. Each address depends on the
  /// previous line, so no prefetcher can predict it.
  int64_t readAfter(int64_t distance) {
    CacheReplay replay({{data.data(), data.size(), distance}}, {}, options);
    int64_t best = INT64_MAX;
    for (int n = 0; n < 40; ++n) {
      replay();
      const volatile uint8_t *line = data.data();
      int64_t start = nowNanoseconds();
      size_t at = 0;
      for (size_t count = 0; count < data.size() / 64; ++count)
        at = (at + 64 * (129 + line[at])) % data.size();
      best = std::min(best, nowNanoseconds() - start);
    }
    return best;
  }
};
} // namespace

TEST_F(Replay, LeavesOperandsAsTheyAre) {
  std::vector<uint8_t> before = data;
  for (int64_t distance : {0, 1 << 10, 1 << 16, 1 << 18, 1 << 21}) {
    CacheReplay replay({{data.data(), 1000, distance},
                        {data.data() + 1024, 0, distance},
                        {data.data() + 2048, 60000, 2 * distance}},
                       {data.data(), 64}, options);
    replay();
    replay();
    EXPECT_EQ(data, before);
  }
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
  CacheReplay replay({{data.data(), data.size(), 1 << 10}}, {}, options);
  replay();
  replay();
  EXPECT_EQ(called, std::vector<unsigned>({0, 1, 2, 0, 1, 2}));
}

// The last distance is the first one that a walk of this length evicts.
TEST_F(Replay, LongerDistancesTakeLonger) {
  if (LLVM_ADDRESS_SANITIZER_BUILD)
    GTEST_SKIP() << "AddressSanitizer changes the times of accesses";
  options.walkBytes = CacheReplay::Options().walkBytes;
  const size_t reach = size_t(64) << 20;
  options.reach = reach;
  int64_t near = readAfter(0);
  int64_t shared = readAfter(int64_t(options.walkBytes) + 1);
  int64_t memory = readAfter(int64_t(reach) + 1);
  EXPECT_LT(3 * near, 2 * shared);
  EXPECT_LE(shared, memory + memory / 4);
}

TEST(CacheReplay, KnowsTheCaches) {
  EXPECT_GE(CacheReplay::coreCacheBytes(), size_t(64) << 10);
  EXPECT_GE(CacheReplay::sharedCacheReach(), CacheReplay::coreCacheBytes());
  // On more threads a network accesses as much in less time.
  EXPECT_GE(CacheReplay::sharedCacheReach(2), CacheReplay::sharedCacheReach(1));
}
