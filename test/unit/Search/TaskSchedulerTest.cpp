//===- TaskSchedulerTest.cpp ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/TaskScheduler.h"
#include "TwoForms.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace pruner;

static constexpr double kNever = std::numeric_limits<double>::infinity();

TEST(TaskScheduler, EveryTaskGetsAFirstRound) {
  TaskScheduler scheduler({{1, 1e9, ""}, {1, 1e9, ""}, {1, 1e9, ""}});
  for (int task = 0; task < 3; ++task) {
    EXPECT_EQ(scheduler.next(), task);
    scheduler.report(task, 1e-3);
  }
}

// By hand: t = 4 rounds, window 3, best 6 after 10:
// backward = (6 - 10) / 3; forward = -6 / 4.
TEST(TaskScheduler, GradientByHand) {
  TaskScheduler scheduler({{2, 1, ""}});
  for (double best : {10.0, 8.0, 7.0, 6.0})
    scheduler.report(0, best);
  EXPECT_DOUBLE_EQ(scheduler.gradients()[0],
                   2 * (0.2 * (-4.0 / 3) + 0.8 * (-6.0 / 4)));
  EXPECT_DOUBLE_EQ(scheduler.latency(), 12);
  // A worse round does not raise the best.
  scheduler.report(0, 9);
  EXPECT_DOUBLE_EQ(scheduler.latency(), 12);
}

TEST(TaskScheduler, WeightAndTimeDecide) {
  TaskScheduler scheduler({{1, 1e9, ""}, {10, 1e9, ""}, {1, 1e9, ""}});
  scheduler.report(0, 1e-3);
  scheduler.report(1, 1e-3);
  scheduler.report(2, 5e-3);
  EXPECT_EQ(scheduler.next(), 1);
  // Its gradient shrinks with more rounds, and the others get rounds.
  std::vector<int> turns(3);
  for (int round = 0; round < 40; ++round) {
    int task = scheduler.next();
    ++turns[task];
    scheduler.report(task, 1);
  }
  EXPECT_GT(turns[1], turns[2]);
  EXPECT_GT(turns[2], turns[0]);
  EXPECT_GT(turns[0], 0);
}

// An unfinished round is assumed to gain nothing, without changing the state.
TEST(TaskScheduler, UnfinishedRound) {
  TaskScheduler scheduler({{1, 1e9, ""}, {1, 1e9, ""}});
  scheduler.report(0, 1.2e-3);
  scheduler.report(1, 1e-3);
  EXPECT_EQ(scheduler.next(), 0);
  EXPECT_EQ(scheduler.next(0), 1);
  EXPECT_EQ(scheduler.next(1), 0);
  EXPECT_EQ(scheduler.rounds(0), 1u);
  scheduler.report(1, 1e-3);
  scheduler.report(1, 1e-3);
  EXPECT_EQ(scheduler.next(0), 0) << "its next round promises more still";
}

TEST(TaskScheduler, SimilarTasksShowWhatIsPossible) {
  // Equal work and rounds, but the second is 100 times slower than the similar
  // first; the third is as slow and has no similar task.
  TaskScheduler scheduler({{1, 1e9, "a"}, {1, 1e9, "a"}, {1, 1e9, "b"}});
  for (int round = 0; round < 5; ++round) {
    scheduler.report(0, 1e-5);
    scheduler.report(1, 1e-3);
    scheduler.report(2, 1e-3);
  }
  std::vector<double> gradients = scheduler.gradients();
  EXPECT_LT(gradients[1], gradients[2]);
  // Expected 2 * 1e-5 instead of 1e-3 * 4 / 5.
  EXPECT_NEAR(gradients[1], 0.8 * (2e-5 - 1e-3), 1e-12);
  // After many rounds without success it is not compared any more.
  for (int round = 0; round < 10; ++round)
    scheduler.report(1, 1e-3);
  EXPECT_NEAR(scheduler.gradients()[1], -0.8 * 1e-3 / 15, 1e-12);
}

TEST(TaskScheduler, TasksWithoutResultsDoNotBlockOthers) {
  TaskScheduler scheduler({{1, 1e9, ""}, {1, 1e9, ""}});
  scheduler.report(0, kNever);
  scheduler.report(1, 1e-3);
  EXPECT_EQ(scheduler.next(), 0);
  scheduler.report(0, kNever);
  EXPECT_EQ(scheduler.next(), 0);
  scheduler.report(0, kNever);
  EXPECT_EQ(scheduler.next(), 1);
  EXPECT_EQ(scheduler.latency(), kNever);
  // A late result counts like any other.
  scheduler.report(0, 1e-2);
  for (int round = 0; round < 4; ++round)
    scheduler.report(0, 1e-2);
  for (double gradient : scheduler.gradients())
    EXPECT_TRUE(std::isfinite(gradient));
}

TEST(TaskScheduler, ExhaustedAndHopelessTasksEnd) {
  TaskSchedulerOptions options;
  options.patience = 2;
  TaskScheduler scheduler({{1, 1e9, ""}, {1, 1e9, ""}}, options);
  scheduler.report(0, 1e-3);
  scheduler.report(1, 1e-3);
  scheduler.giveUp(0);
  EXPECT_EQ(scheduler.next(), 1);
  scheduler.report(1, 1e-3);
  EXPECT_EQ(scheduler.next(), 1);
  scheduler.report(1, 1e-3);
  EXPECT_EQ(scheduler.next(), -1);
}

TEST(TaskScheduler, RoundsEachAreInRotation) {
  TaskSchedulerOptions options;
  options.roundsEach = 2;
  TaskScheduler scheduler({{1, 1e9, ""}, {100, 1e9, ""}, {1, 1e9, ""}},
                          options);
  scheduler.giveUp(2);
  // The second is a hundred times as heavy, and the first has no result.
  for (int expected : {0, 1, 0, 1}) {
    ASSERT_EQ(scheduler.next(), expected);
    scheduler.report(expected, expected == 0 ? kNever : 1.0);
  }
  EXPECT_EQ(scheduler.next(), -1);
}

TEST(TaskScheduler, FormsInTheRaceGetRounds) {
  std::vector<ScheduledTask> tasks(5, {1, 1e9, ""});
  TaskScheduler scheduler(tasks, {}, partsWithTwoForms(3));
  for (unsigned task = 0; task < 5; ++task) {
    ASSERT_EQ(scheduler.next(), int(task));
    scheduler.report(task, task == 3 ? 5e-3 : 1e-3);
  }
  EXPECT_DOUBLE_EQ(scheduler.latency(), 1e-3 + 3 * 3e-3);
  // Both forms may still become the fastest: 3 calls of the joined task.
  EXPECT_EQ(scheduler.next(), 3);
  EXPECT_NEAR(scheduler.gradients()[3], -3 * 0.8 * 5e-3, 1e-12);
  EXPECT_NEAR(scheduler.gradients()[0], -3 * 0.8 * 1e-3, 1e-12);
  // After two rounds, half of its time is expected: 2.5 ms of 3 ms. After the
  // third, two thirds: 3.3 ms. It is out, and its tasks get no more rounds.
  scheduler.report(3, 5e-3);
  EXPECT_LT(scheduler.gradients()[3], 0);
  scheduler.report(3, 5e-3);
  EXPECT_EQ(scheduler.gradients()[3], 0);
  for (int round = 0; round < 40; ++round) {
    int task = scheduler.next();
    ASSERT_NE(task, 3);
    ASSERT_GE(task, 0);
    scheduler.report(unsigned(task), 1e-3);
  }
  EXPECT_EQ(scheduler.rounds(3), 3u);
  // When all others have ended, the form that is behind gets no rounds either.
  for (unsigned task : {0u, 1u, 2u, 4u})
    scheduler.giveUp(task);
  EXPECT_EQ(scheduler.next(), -1);
}

TEST(TaskScheduler, AFormCanWinLater) {
  std::vector<ScheduledTask> tasks(5, {1, 1e9, ""});
  TaskScheduler scheduler(tasks, {}, partsWithTwoForms(1));
  for (unsigned task = 0; task < 5; ++task)
    scheduler.report(task, task == 3 ? 5e-3 : 1e-3);
  scheduler.report(3, 1e-3);
  EXPECT_DOUBLE_EQ(scheduler.latency(), 2e-3);
  // Of the separate form, 0 ms are expected after one round of each task, and
  // 1.5 ms after two.
  EXPECT_LT(scheduler.gradients()[0], 0);
  for (unsigned task : {0u, 1u, 2u})
    scheduler.report(task, 1e-3);
  EXPECT_EQ(scheduler.gradients()[0], 0);
}

TEST(TaskScheduler, AFormWithoutResultsLeaves) {
  std::vector<ScheduledTask> tasks(5, {1, 1e9, ""});
  TaskScheduler scheduler(tasks, {}, partsWithTwoForms(1));
  for (unsigned task = 0; task < 5; ++task)
    scheduler.report(task, task == 3 ? kNever : 1e-3);
  EXPECT_EQ(scheduler.next(), 3);
  scheduler.report(3, kNever);
  EXPECT_EQ(scheduler.next(), 3);
  scheduler.report(3, kNever);
  EXPECT_NE(scheduler.next(), 3);
  // A task whose space has no candidate.
  TaskScheduler exhausted(tasks, {}, partsWithTwoForms(1));
  exhausted.giveUp(3);
  for (unsigned task : {0u, 1u, 2u, 4u})
    exhausted.report(task, 1e-3);
  EXPECT_NE(exhausted.next(), 3);
  EXPECT_DOUBLE_EQ(exhausted.latency(), 4e-3);
}

TEST(TaskScheduler, Tags) {
  EXPECT_EQ(similarityTag("matmul", 1e9), similarityTag("matmul", 1.1e9));
  EXPECT_NE(similarityTag("matmul", 1e9), similarityTag("matmul", 1e10));
  EXPECT_NE(similarityTag("matmul", 1e9), similarityTag("conv2d", 1e9));
}
