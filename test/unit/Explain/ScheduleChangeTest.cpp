//===- ScheduleChangeTest.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFixtures.h"

#include "pruner/Explain/Explain.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Sketch/Knob.h"

#include "gtest/gtest.h"

#include <map>

using namespace pruner;
using namespace pruner::test;

TEST(ScheduleChange, NamesLevelsAndKnobs) {
  TaskDesc task = matmul(64, 64, 64);
  Schedule from;
  from.sketch = SketchId::CpuTile;
  from.tiles = {{1, 4, 2}, {1, 1, 8}, {16}};
  from.stages = {StageLevel::None, StageLevel::None};
  Schedule to = from;
  EXPECT_EQ(describeChange(task, from, to), "");
  to.tiles[1][2] = 16;
  to.tiles[2][0] = 32;
  to.stages[1] = StageLevel::Inner;
  to.unroll = 4;
  to.order = {1, 0};
  EXPECT_EQ(describeChange(task, from, to),
            "d1 register 8 -> 16, d2 slice 16 -> 32, stages [none, none] -> "
            "[none, inner], unroll 1 -> 4, order [] -> [1, 0]");
  to.sketch = SketchId::CpuRow;
  EXPECT_EQ(describeChange(task, from, to), "cpu_tile -> cpu_row");
}

// The change of two schedules is empty exactly if they are equal, and the
// neighbors of a schedule have distinct changes.
TEST(ScheduleChange, NeighborsHaveDistinctChanges) {
  Random random(7);
  size_t seen = 0;
  for (const Machine &machine : {cpu(32, 16, 4), gpu()})
    for (const TaskDesc &task :
         {matmul(127, 96, 200), withBiasRelu(matmul(65, 1024, 64)),
          elementwise(37, 1001), conv2d(14, 64, 96, 3)}) {
      ScheduleSpace space(task, machine);
      for (unsigned draw = 0; draw < 4; ++draw) {
        std::optional<Schedule> from = space.sample(random);
        ASSERT_TRUE(from);
        EXPECT_EQ(describeChange(task, *from, *from), "");
        std::map<std::string, std::string> said;
        for (const Schedule &to : space.neighbors(*from)) {
          std::string change = describeChange(task, *from, to);
          EXPECT_NE(change, "") << scheduleKey(to);
          EXPECT_TRUE(said.insert({change, scheduleKey(to)}).second ||
                      said[change] == scheduleKey(to))
              << change;
          ++seen;
        }
      }
    }
  EXPECT_GT(seen, 500u);
}
