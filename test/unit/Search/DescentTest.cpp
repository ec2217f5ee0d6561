//===- DescentTest.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFixtures.h"

#include "Descent.h"
#include "pruner/Analysis/DraftModel.h"

#include "gtest/gtest.h"

#include <limits>
#include <set>

using namespace pruner;
using namespace pruner::test;

TEST(Descent, EndsWhereNoNeighborIsBetter) {
  TaskDesc task = matmul(96, 192, 64);
  for (const Machine &machine : {cpu(), gpu()}) {
    ScheduleSpace space(task, machine);
    DraftModel model(task, machine, {});
    auto scoreOf = [&](const Schedule &schedule) {
      return float(1 / model(schedule));
    };
    auto score = [&](SchedulePointers schedules) {
      std::vector<float> scores;
      for (const Schedule *schedule : schedules)
        scores.push_back(scoreOf(*schedule));
      return scores;
    };
    Random random(7);
    std::vector<Schedule> starts;
    for (int i = 0; i < 8; ++i)
      starts.push_back(*space.sample(random));
    Evolved ends = descend(space, starts, score);
    ASSERT_FALSE(ends.schedules.empty());
    EXPECT_LE(ends.schedules.size(), starts.size());
    std::set<std::string> keys;
    for (auto [schedule, value] :
         llvm::zip_equal(ends.schedules, ends.scores)) {
      EXPECT_TRUE(keys.insert(scheduleKey(schedule)).second);
      EXPECT_EQ(value, scoreOf(schedule));
      for (const Schedule &neighbor : space.neighbors(schedule))
        EXPECT_LE(scoreOf(neighbor), value);
    }
    EXPECT_TRUE(llvm::is_sorted(ends.scores, std::greater<float>()));
    for (const Schedule &start : starts)
      EXPECT_GE(ends.scores.front(), scoreOf(start));
    // A second descent has nothing to improve.
    Evolved again = descend(space, ends.schedules, score);
    EXPECT_TRUE(again.schedules == ends.schedules);
    // Starts with the same end give it once.
    EXPECT_EQ(descend(space, {starts[0], starts[0]}, score).schedules.size(),
              1u);
  }
}

TEST(Descent, SchedulesWithoutScoreAreNeverTaken) {
  ScheduleSpace space(matmul(96, 96, 96), cpu());
  Random random(3);
  std::vector<Schedule> starts;
  for (int i = 0; i < 32; ++i)
    starts.push_back(*space.sample(random));
  // The best would be those that cannot be scored.
  auto score = [](SchedulePointers schedules) {
    std::vector<float> scores;
    for (const Schedule *s : schedules)
      scores.push_back(s->unroll > 2 ? std::numeric_limits<float>::infinity()
                                     : float(s->unroll));
    return scores;
  };
  Evolved ends = descend(space, starts, score);
  ASSERT_FALSE(ends.schedules.empty());
  for (const Schedule &schedule : ends.schedules)
    EXPECT_LE(schedule.unroll, 2);
}
