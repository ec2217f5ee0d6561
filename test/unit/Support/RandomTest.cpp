//===- RandomTest.cpp - the seeded generator ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Random.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

using namespace pruner;

static bool restores(Random &random, llvm::StringRef text) {
  llvm::Error error = random.restore(text);
  bool good = !error;
  llvm::consumeError(std::move(error));
  return good;
}

// The 10,000th number that the C++ standard specifies for the default seed.
TEST(Random, IsTheStandardEngine) {
  Random random(5489);
  for (int i = 1; i < 10000; ++i)
    random.next();
  EXPECT_EQ(random.next(), 9981545732273789042ull);
}

TEST(Random, UniformStaysInRangeAndIsEven) {
  Random random(1);
  EXPECT_EQ(random.uniform(0), 0u);
  EXPECT_EQ(random.uniform(1), 0u);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i)
    ++counts.at(random.uniform(7));
  // Chi-squared with 6 degrees of freedom: above 22.5 once in 1,000 seeds.
  double chi = 0;
  for (int count : counts)
    chi += (count - 10000.0) * (count - 10000.0) / 10000.0;
  EXPECT_LT(chi, 22.5);
  // A range where plain multiplication would favor some values by half.
  uint64_t big = (uint64_t(3) << 62) + 1;
  int low = 0;
  for (int i = 0; i < 30000; ++i) {
    uint64_t value = random.uniform(big);
    ASSERT_LT(value, big);
    low += value < big / 3;
  }
  EXPECT_NEAR(low, 10000, 400);
}

TEST(Random, RealsFillTheUnitInterval) {
  Random random(2);
  double sum = 0, least = 1, most = 0;
  for (int i = 0; i < 100000; ++i) {
    double value = random.uniformReal();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
  EXPECT_LT(least, 0.001);
  EXPECT_GT(most, 0.999);
}

TEST(Random, ShuffleReachesEveryOrderEvenly) {
  Random random(3);
  std::map<std::vector<int>, int> counts;
  for (int i = 0; i < 24000; ++i) {
    std::vector<int> order = {0, 1, 2, 3};
    random.shuffle(order);
    ++counts[order];
  }
  ASSERT_EQ(counts.size(), 24u);
  for (const auto &[order, count] : counts)
    EXPECT_NEAR(count, 1000, 160);
}

TEST(Random, ForksDependOnSeedAndStreamOnly) {
  Random parent(7);
  uint64_t early = parent.fork(3).next();
  for (int i = 0; i < 1000; ++i)
    parent.next();
  EXPECT_EQ(parent.fork(3).next(), early);
  std::set<uint64_t> firsts = {parent.next()};
  for (uint64_t seed = 0; seed < 100; ++seed)
    for (uint64_t stream = 0; stream < 100; ++stream)
      firsts.insert(Random(seed).fork(stream).next());
  EXPECT_EQ(firsts.size(), 10001u);
}

TEST(Random, StateRoundTrips) {
  Random random(11);
  for (int i = 0; i < 1000; ++i)
    random.next();
  std::string state = random.save();
  EXPECT_EQ(state.find('\n'), std::string::npos);
  Random other(0);
  ASSERT_TRUE(restores(other, state));
  EXPECT_EQ(other.save(), state);
  EXPECT_EQ(other.fork(5).next(), random.fork(5).next());
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(other.next(), random.next());
}

TEST(Random, DamagedStatesAreRejected) {
  Random random(11), untouched(11);
  std::string state = random.save();
  EXPECT_FALSE(restores(random, ""));
  EXPECT_FALSE(restores(random, "mt19937_64"));
  for (size_t at = 0; at < state.size(); at += 7) {
    std::string damaged = state;
    damaged[at] ^= 1;
    EXPECT_FALSE(restores(random, damaged));
    EXPECT_FALSE(restores(random, llvm::StringRef(state).take_front(at)));
  }
  EXPECT_EQ(random.next(), untouched.next());
}
