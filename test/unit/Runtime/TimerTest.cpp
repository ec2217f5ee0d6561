//===- TimerTest.cpp - the timing protocol with a fake clock --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/Timer.h"

#include <gtest/gtest.h>

using namespace pruner;

namespace {
/// A clock that only the callbacks advance.
struct FakeTime {
  int64_t now = 0;
  int runs = 0;
  TimingOptions options;
  FakeTime() {
    options.clock = [this] { return now; };
  }
  /// A callback that takes the next of `nanoseconds`, and the last one forever.
  std::function<void()> taking(std::vector<int64_t> nanoseconds) {
    return [this, nanoseconds, i = size_t(0)]() mutable {
      now += nanoseconds[std::min(i++, nanoseconds.size() - 1)];
      ++runs;
    };
  }
};
constexpr int64_t us = 1000, ms = 1000 * us;
} // namespace

TEST(SummarizeSamples, OrderStatistics) {
  TimingResult r = summarizeSamples({5, 1, 4, 2, 3});
  EXPECT_EQ(r.median, 3);
  EXPECT_EQ(r.minimum, 1);
  EXPECT_EQ(r.p90, 5);
  EXPECT_EQ(r.spread, 3);
  EXPECT_EQ(r.samples.size(), 5u);
  EXPECT_EQ(summarizeSamples({1, 2, 3, 4}).median, 2.5);
  std::vector<double> ten = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(summarizeSamples(ten).p90, 9);
  EXPECT_EQ(summarizeSamples({7}).p90, 7);
  EXPECT_EQ(summarizeSamples({}).samples.size(), 0u);
  // In the order taken.
  EXPECT_EQ(r.samples, (std::vector<double>{5, 1, 4, 2, 3}));
}

TEST(TimeCallback, RunsUntilTenMillisecondsAndFiveSamples) {
  FakeTime time;
  TimingResult r = timeCallback(time.taking({1 * ms}), time.options);
  EXPECT_DOUBLE_EQ(r.median, 1e-3);
  EXPECT_EQ(r.samples.size(), 10u);
  EXPECT_EQ(r.runsPerSample, 1);
  EXPECT_EQ(time.runs, 3 + 10); // warm-ups, then the first run counts
  EXPECT_FALSE(r.noisy);

  FakeTime slow;
  r = timeCallback(slow.taking({8 * ms}), slow.options);
  EXPECT_EQ(r.samples.size(), 5u);
  EXPECT_EQ(slow.runs, 2 + 5); // warm-ups stop after 10 ms
}

TEST(TimeCallback, ShortRunsAreTimedInBatches) {
  FakeTime time;
  TimingResult r = timeCallback(time.taking({400}), time.options);
  EXPECT_EQ(r.runsPerSample, 125); // 50 us
  EXPECT_DOUBLE_EQ(r.median, 400e-9);
  EXPECT_NEAR(r.samples.size(), 200, 1); // 10 ms
  // A callback below the clock's resolution also ends.
  FakeTime none;
  none.options.maxSamples = 7;
  r = timeCallback(none.taking({0}), none.options);
  EXPECT_EQ(r.samples.size(), 7u);
  EXPECT_EQ(r.median, 0);
}

TEST(TimeCallback, WorkBeforeARunIsNotTimed) {
  FakeTime time;
  time.options.before = [&] { time.now += 2 * ms; };
  TimingResult r = timeCallback(time.taking({400}), time.options);
  EXPECT_EQ(r.runsPerSample, 1);
  EXPECT_DOUBLE_EQ(r.median, 400e-9);
  // 20 ms including the untimed calls; the first sample was taken early, after
  // one warm-up.
  EXPECT_EQ(r.samples.size(), 1u + 10u);
  EXPECT_EQ(time.runs, 1 + 11);
  // Never fewer than the minimum.
  time.options.before = [&] { time.now += 100 * ms; };
  EXPECT_EQ(timeCallback(time.taking({400}), time.options).samples.size(), 5u);
}

TEST(TimeCallback, SlowFirstRunIsCensored) {
  FakeTime time;
  time.options.censorAbove = 3e-3;
  TimingResult r = timeCallback(time.taking({4 * ms}), time.options);
  EXPECT_TRUE(r.censored);
  EXPECT_DOUBLE_EQ(r.median, 4e-3);
  EXPECT_EQ(time.runs, 3 + 1);
  // Exactly the limit is not above it; slow warm-ups do not count.
  FakeTime warm;
  warm.options.censorAbove = 3e-3;
  r = timeCallback(warm.taking({30 * ms, 3 * ms}), warm.options);
  EXPECT_FALSE(r.censored);
  // Nor does an interrupted first run.
  FakeTime interrupted;
  interrupted.options.censorAbove = 3e-3;
  interrupted.options.warmUps = 1;
  r = timeCallback(interrupted.taking({2 * ms, 30 * ms, 2 * ms}),
                   interrupted.options);
  EXPECT_FALSE(r.censored);
  EXPECT_DOUBLE_EQ(r.median, 2e-3);
  // If all runs are slow, the fastest is reported.
  FakeTime slow;
  slow.options.censorAbove = 3e-3;
  slow.options.warmUps = 1;
  r = timeCallback(slow.taking({4 * ms, 30 * ms}), slow.options);
  EXPECT_TRUE(r.censored);
  EXPECT_DOUBLE_EQ(r.median, 4e-3);
}

TEST(TimeCallback, DisturbedMeasurementIsRepeated) {
  // Warm-ups 3, then one measurement of 10 runs in which every second run is
  // slow, then calm.
  std::vector<int64_t> times(3, 1 * ms);
  for (int i = 0; i < 4; ++i)
    times.insert(times.end(), {1 * ms, 2 * ms, 2 * ms});
  times.push_back(1 * ms);
  FakeTime time;
  TimingResult r = timeCallback(time.taking(times), time.options);
  EXPECT_GE(r.repeats, 1);
  EXPECT_FALSE(r.noisy);
  EXPECT_DOUBLE_EQ(r.median, 1e-3);

  // A callback that never becomes quiet is marked and ends.
  FakeTime noisy;
  int n = 0;
  r = timeCallback([&] { noisy.now += ++n % 3 ? 2 * ms : 1 * ms; },
                   noisy.options);
  EXPECT_EQ(r.repeats, 2);
  EXPECT_TRUE(r.noisy);
  EXPECT_DOUBLE_EQ(r.spread, 2);
  // One that is too slow to matter is marked at once.
  noisy.options.slowAbove = 0.9e-3;
  n = 0;
  r = timeCallback([&] { noisy.now += (1 << n++) * ms; }, noisy.options);
  EXPECT_EQ(r.repeats, 0);
  EXPECT_TRUE(r.noisy);
  EXPECT_EQ(r.samples.size(), size_t(noisy.options.minSamples));
}

TEST(TimeCallback, SlowCallbacksGetTwoSamplesThatAgree) {
  FakeTime time;
  time.options.slowAbove = 2e-3;
  time.options.warmUps = 1;
  TimingResult r =
      timeCallback(time.taking({4 * ms, 3 * ms, 3 * ms, 9 * ms}), time.options);
  EXPECT_EQ(r.samples.size(), 2u);
  EXPECT_FALSE(r.censored);
  // A callback that is not above the limit gets all its samples.
  FakeTime fast;
  fast.options.slowAbove = 3e-3;
  r = timeCallback(fast.taking({3 * ms}), fast.options);
  EXPECT_EQ(r.samples.size(), 5u);
  // One of the two was interrupted.
  FakeTime interrupted;
  interrupted.options.slowAbove = 2e-3;
  interrupted.options.warmUps = 1;
  r = timeCallback(interrupted.taking({3 * ms, 3 * ms, 9 * ms, 3 * ms}),
                   interrupted.options);
  EXPECT_EQ(r.samples.size(), 3u);
  EXPECT_DOUBLE_EQ(r.median, 3e-3);
}

TEST(TimeCallback, RealClock) {
  TimingOptions options;
  options.minSeconds = 1e-3;
  volatile int work = 0;
  auto run = [&] {
    for (int i = 0; i < 1000; ++i)
      work = work + 1;
  };
  TimingResult warm = timeCallback(run, options);
  EXPECT_GT(warm.minimum, 50e-9); // A thousand stores take time.
  EXPECT_LE(warm.minimum, warm.median);
  EXPECT_LE(warm.median, warm.p90);
  EXPECT_GT(warm.runsPerSample, 1);
  int64_t before = nowNanoseconds();
  EXPECT_GE(nowNanoseconds(), before);
}

TEST(InterleavedOrder, EachTurnBeginsWithTheNextParticipant) {
  using Order = llvm::SmallVector<size_t>;
  EXPECT_EQ(interleavedOrder(0, 3), (Order{0, 1, 2}));
  EXPECT_EQ(interleavedOrder(1, 3), (Order{1, 2, 0}));
  EXPECT_EQ(interleavedOrder(5, 3), (Order{2, 0, 1}));
  EXPECT_TRUE(interleavedOrder(2, 0).empty());
}
