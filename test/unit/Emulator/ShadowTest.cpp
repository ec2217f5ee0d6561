//===- ShadowTest.cpp - races against a brute-force history ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shadow.h"

#include "gtest/gtest.h"

#include <random>

using namespace pruner::emulator;

namespace {
/// All accesses to one element.
struct Event {
  Access access;
  AccessKind kind;
};
} // namespace

static bool racesWithAny(const std::vector<Event> &history, Event event,
                         bool acrossBlocks, uint32_t firstEpoch) {
  for (const Event &other : history) {
    if (other.kind == AccessKind::Read && event.kind == AccessKind::Read)
      continue;
    if (other.access.epoch == event.access.epoch
            ? other.access.thread != event.access.thread
            : acrossBlocks && other.access.epoch < firstEpoch)
      return true;
  }
  return false;
}

TEST(ShadowTest, AgreesWithTheFullHistory) {
  Site sites[2];
  sites[0].kind = AccessKind::Read;
  sites[1].kind = AccessKind::Write;
  unsigned found = 0, clean = 0;
  for (uint64_t seed = 0; seed != 4000; ++seed) {
    std::mt19937_64 random(seed);
    bool acrossBlocks = random() % 2;
    Shadow shadow(16, 4, acrossBlocks);
    std::vector<Event> history[4];
    uint32_t epoch = 1, firstEpoch = 1;
    bool raced = false;
    for (unsigned step = seed % 40; step != 40 && !raced; ++step) {
      if (random() % 4 == 0) {
        ++epoch;
        if (random() % 4 == 0)
          firstEpoch = epoch;
      }
      bool write = random() % 3 == 0;
      unsigned element = random() % 4;
      Event event{{epoch, uint16_t(random() % 3), uint16_t(write)},
                  sites[write].kind};
      bool expected =
          racesWithAny(history[element], event, acrossBlocks, firstEpoch);
      auto conflict = shadow.access(sites, event.access, event.kind,
                                    element * 4, 4, 4, ~0ull, firstEpoch);
      ASSERT_EQ(bool(conflict), expected) << "seed " << seed;
      if (conflict) {
        EXPECT_EQ(conflict->element, element);
      }
      history[element].push_back(event);
      raced = expected;
    }
    ++(raced ? found : clean);
  }
  EXPECT_GT(found, 500u);
  EXPECT_GT(clean, 50u);
}

TEST(ShadowTest, MaskedLanesDoNotCount) {
  Site sites[1];
  sites[0].kind = AccessKind::Write;
  Shadow shadow(32, 4, false);
  auto write = [&](uint16_t thread, uint64_t offset, uint64_t mask) {
    return shadow.access(sites, {1, thread, 0}, AccessKind::Write, offset, 16,
                         4, mask, 1);
  };
  EXPECT_FALSE(write(0, 0, 0b0111));
  EXPECT_FALSE(write(1, 12, 0b1111));
  auto conflict = write(2, 8, 0b0001);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->element, 2u);
}

TEST(ShadowTest, AtomicsDoNotRaceWithAtomics) {
  Site sites[2];
  sites[0].kind = AccessKind::Atomic;
  sites[1].kind = AccessKind::Read;
  Shadow shadow(4, 4, true);
  for (uint16_t thread = 0; thread != 4; ++thread)
    EXPECT_FALSE(shadow.access(sites, {1u + thread / 2, thread, 0},
                               AccessKind::Atomic, 0, 4, 4, ~0ull,
                               1 + thread / 2));
  EXPECT_TRUE(
      shadow.access(sites, {2, 0, 1}, AccessKind::Read, 0, 4, 4, ~0ull, 2));
}

TEST(ShadowTest, CopyInFlight) {
  Site sites[1];
  sites[0].kind = AccessKind::Read;
  Shadow shadow(16, 4, false);
  shadow.beginCopy({1, 3, 0}, 4, 8);
  auto read = [&](uint64_t offset) {
    return shadow.access(sites, {1, 0, 0}, AccessKind::Read, offset, 4, 4,
                         ~0ull, 1);
  };
  EXPECT_FALSE(read(0));
  EXPECT_FALSE(read(12));
  auto conflict = read(8);
  ASSERT_TRUE(conflict);
  EXPECT_TRUE(conflict->pendingCopy);
  EXPECT_EQ(conflict->earlier.thread, 3);
  shadow.endCopy(4, 8);
  EXPECT_FALSE(read(8));
}
