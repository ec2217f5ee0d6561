//===- FeaturesTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskFixtures.h"

#include "DeviceFeatures.h"
#include "pruner/Analysis/Features.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Sketch/BuildProgram.h"

#include "gtest/gtest.h"

using namespace pruner;
using namespace pruner::test;

static Schedule simtTile() {
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 16, 2, 2}, {1, 16, 2, 2}, {8, 2}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.unroll = 64;
  return s;
}

static ProgramFeatures features(const TaskDesc &task, const Schedule &s,
                                FeatureOptions options = {}) {
  return featuresOf(summarize(task, buildTiledProgram(task, s)),
                    taskFlags(task), options);
}

static float slog(double x) { return float(std::log2(x + 1)); }

// Blocks, threads and two stages in the outer reduction loop, as printed by
// toString(). Every statement has a row, in program order. Its index counts the
// loops before it and a marker after each leaf.
TEST(Features, LeavesOfAProduct) {
  TaskDesc task = matmul(1024, 1024, 1024);
  ProgramSummary program = summarize(task, buildTiledProgram(task, simtTile()));
  ProgramFeatures f = treeFeaturesOf(program, taskFlags(task));
  ASSERT_EQ(size_t(f.rows), program.statements.size());
  ASSERT_EQ(f.positions.size(), program.statements.size());
  // One more row, for the initialization, which another statement stores again.
  EXPECT_EQ(f.rows, features(task, simtTile()).rows + 1);
  float next = 0;
  for (unsigned i = 0; i < program.statements.size(); ++i) {
    const StatementSummary &statement = program.statements[i];
    ASSERT_LE(statement.sharedLoops + statement.ownLoops,
              statement.loops.size());
    for (unsigned l = statement.sharedLoops; l < statement.loops.size(); ++l)
      next += statement.loops[l].extent > 1;
    EXPECT_EQ(f.positions[i], next);
    next += 2;
  }
  // The second stage is next to the first, in the loop of the outer reduction.
  unsigned second = 0;
  for (unsigned i = 1; i < program.statements.size(); ++i)
    if (program.statements[i].kind == StatementKind::Stage &&
        program.statements[i - 1].kind == StatementKind::Stage)
      second = i;
  ASSERT_GT(second, 0u);
  const StatementSummary &stage = program.statements[second];
  unsigned reductions = 0;
  for (unsigned l = 0; l < stage.sharedLoops; ++l)
    reductions += stage.loops[l].reduction;
  EXPECT_EQ(reductions, 1u);
}

TEST(Features, MachinesAreNumbersBetweenZeroAndOne) {
  Machine v100 = llvm::cantFail(knownMachine("nvidia:v100")),
          k80 = llvm::cantFail(knownMachine("nvidia:k80"));
  std::vector<float> a = deviceFeatures(v100), b = deviceFeatures(k80);
  ASSERT_EQ(a.size(), size_t(kDeviceFeatureSize));
  for (float x : a) {
    EXPECT_GE(x, 0);
    EXPECT_LE(x, 1);
  }
  EXPECT_EQ(a[0], 1);
  EXPECT_GT(a[2], b[2]);
  EXPECT_FLOAT_EQ(a[3], std::log2(901.0f) / std::log2(10001.0f));
  // Missing properties of a GPU are finite, and its threads are not counted.
  EXPECT_EQ(a[8], 0);
  EXPECT_EQ(deviceFeatures(v100, 1), a);
  Machine cpu = v100;
  cpu.kind = Machine::Kind::Cpu;
  EXPECT_GT(deviceFeatures(cpu)[4], deviceFeatures(cpu, 1)[4]);
}

// Columns that can be computed by hand for the released code's example: 1024^3
// in 64x64 blocks of 256 threads.
TEST(Features, StatementRowsOfAProduct) {
  TaskDesc task = matmul(1024, 1024, 1024);
  ProgramFeatures f = features(task, simtTile());
  ASSERT_TRUE(f.isValid({true, false}));
  // Two stages, the accumulator (the update replaces the initialization), C.
  ASSERT_EQ(f.rows, 4);
  auto at = [&](int row, int column) {
    return f.statements[row * kStatementFeatureSize + column];
  };
  const double points = 1024.0 * 1024 * 1024;
  EXPECT_FLOAT_EQ(at(2, 1), slog(points)); // float add
  EXPECT_FLOAT_EQ(at(2, 2), slog(points)); // float mul
  EXPECT_EQ(at(2, 0), 0);                  // fused: never counted
  EXPECT_EQ(at(2, 49), 1);                 // is GPU
  EXPECT_FLOAT_EQ(at(2, 50), slog(256));   // blocks
  EXPECT_FLOAT_EQ(at(2, 53), slog(256));   // threads
  EXPECT_FLOAT_EQ(at(2, 56), slog(1));     // virtual threads
  // Trips, loops, unroll step.
  EXPECT_FLOAT_EQ(at(2, 161), slog(points));
  EXPECT_FLOAT_EQ(at(2, 163), slog(64));
  // The copies move 64 x 1024 elements per block.
  EXPECT_FLOAT_EQ(at(0, 161), slog(256.0 * 64 * 1024));
  EXPECT_EQ(at(0, 1), 0);
  // Allocation of the first stage: 64 x 16 floats.
  EXPECT_FLOAT_EQ(at(0, 157), slog(64 * 16 * 4));
  // Flags: dense product, nothing else.
  for (int flag = 0; flag < 10; ++flag)
    EXPECT_EQ(at(0, 164 + flag), flag == 6);
  // The buffer groups of the update: three are used, two are zero.
  for (int column = 57 + 3 * 18; column < 57 + 5 * 18; ++column)
    EXPECT_EQ(at(2, column), 0) << column;
  for (int group = 0; group < 3; ++group)
    EXPECT_FLOAT_EQ(at(2, 57 + group * 18 + 3), slog(points * 4));
  // The intensity curve ends at log2(ops) / log2(bytes).
  EXPECT_FLOAT_EQ(at(2, 156), float(31 / std::log2(3.0 * (1 << 22))));
}

TEST(Features, DataflowIsInTemporalOrder) {
  TaskDesc task = matmul(1024, 1024, 1024);
  ProgramFeatures f = features(task, simtTile());
  ASSERT_TRUE(f.hasDataflow);
  auto at = [&](int step, int column) {
    return f.dataflow[step * kDataflowFeatureSize + column];
  };
  // Global 0, shared 1, local 2; read 0, write 1, read and write 2.
  const int level[] = {2, 0, 1, 0, 1, 1, 1, 2};
  const int access[] = {1, 0, 1, 0, 1, 0, 0, 2};
  for (int step = 0; step < kDataflowSteps; ++step)
    for (int n = 0; n < 3; ++n) {
      EXPECT_EQ(at(step, 1 + n), n == level[step]) << step;
      EXPECT_EQ(at(step, 4 + n), n == access[step]) << step;
    }
  EXPECT_EQ(at(0, 0), 0);
  EXPECT_FLOAT_EQ(at(7, 0), 31);
  // Allocation sizes: none in global memory.
  EXPECT_EQ(at(1, 22), 0);
  EXPECT_FLOAT_EQ(at(2, 22), slog(64 * 16 * 4));
  EXPECT_FLOAT_EQ(at(7, 22), slog(16 * 4));

  FeatureOptions released;
  released.releasedDataflowOps = true;
  ProgramFeatures g = features(task, simtTile(), released);
  EXPECT_FLOAT_EQ(g.dataflow[7 * kDataflowFeatureSize], 61);
}

TEST(Features, DataflowOfOtherPatterns) {
  // One operand in place: a sequence of 6 accesses, and none in the released
  // form.
  TaskDesc task = matmul(1024, 1024, 1024);
  Schedule s = simtTile();
  s.stages[0] = StageLevel::None;
  ProgramFeatures f = features(task, s);
  EXPECT_TRUE(f.hasDataflow);
  for (int column = 0; column < kDataflowFeatureSize; ++column) {
    EXPECT_EQ(f.dataflow[6 * kDataflowFeatureSize + column], 0);
    EXPECT_EQ(f.dataflow[7 * kDataflowFeatureSize + column], 0);
  }
  FeatureOptions strict;
  strict.onlyTwoOperands = true;
  EXPECT_FALSE(features(task, s, strict).hasDataflow);
  EXPECT_TRUE(features(task, simtTile(), strict).hasDataflow);

  Schedule map;
  map.sketch = SketchId::SimtMap;
  map.tiles = {{1, 1}, {256, 4}};
  map.stages = {StageLevel::None, StageLevel::None};
  ProgramFeatures e = features(elementwise(64, 4096), map);
  EXPECT_TRUE(e.isValid({true, false}));
  EXPECT_EQ(e.rows, 1);
  // Both operands read, the result written, and nothing else.
  EXPECT_TRUE(e.hasDataflow);
  for (int step : {0, 1})
    EXPECT_EQ(e.dataflow[step * kDataflowFeatureSize + 4], 1);
  EXPECT_EQ(e.dataflow[2 * kDataflowFeatureSize + 5], 1);
  for (int column = 0; column < kDataflowFeatureSize; ++column)
    EXPECT_EQ(e.dataflow[3 * kDataflowFeatureSize + column], 0);

  // CPU: packed buffers correspond to shared memory.
  Schedule cpu;
  cpu.tiles = {{2, 4, 6}, {2, 4, 16}, {128}};
  cpu.stages = {StageLevel::Inner, StageLevel::Inner};
  cpu.vector = 8;
  ProgramFeatures c = features(matmul(512, 512, 512), cpu);
  ASSERT_TRUE(c.hasDataflow);
  EXPECT_EQ(c.dataflow[2 * kDataflowFeatureSize + 2], 1);
  // Nothing is packed: the accumulator, both operands in place, the update.
  cpu.stages = {StageLevel::None, StageLevel::None};
  c = features(matmul(512, 512, 512), cpu);
  ASSERT_TRUE(c.hasDataflow);
  for (int step : {1, 2})
    EXPECT_EQ(c.dataflow[step * kDataflowFeatureSize + 1], 1);
  EXPECT_EQ(c.dataflow[3 * kDataflowFeatureSize + 6], 1);
}

TEST(Features, LongDataflowKeepsTheUpdate) {
  // Three staged operands: initialization, six accesses of copies, four of the
  // update, the last of which is the accumulator's.
  TaskDesc task = matmul(1024, 1024, 1024);
  StatementDesc &anchor = task.statements[task.anchor];
  anchor.inputs.push_back(anchor.inputs.front());
  task.prologues.push_back(-1);
  Schedule s = simtTile();
  s.stages.push_back(s.stages.front());
  ProgramFeatures f = features(task, s);
  ASSERT_TRUE(f.hasDataflow);
  auto at = [&](int step, int column) {
    return f.dataflow[step * kDataflowFeatureSize + column];
  };
  for (int step : {4, 5, 6})
    EXPECT_EQ(at(step, 2), 1) << step;
  EXPECT_EQ(at(7, 3), 1);
  EXPECT_EQ(at(7, 6), 1);
  EXPECT_GT(at(7, 0), 0);
}

TEST(Features, DistinguishSchedules) {
  TaskDesc task = matmul(1024, 1024, 1024);
  ProgramFeatures base = features(task, simtTile());
  EXPECT_EQ(base.statements, features(task, simtTile()).statements);
  auto differs = [&](auto change) {
    Schedule s = simtTile();
    change(s);
    return features(task, s).statements != base.statements;
  };
  EXPECT_TRUE(differs([](Schedule &s) { s.tiles[0] = {2, 8, 2, 2}; }));
  EXPECT_TRUE(differs([](Schedule &s) { s.tiles[2] = {4, 2}; }));
  EXPECT_TRUE(differs([](Schedule &s) { s.unroll = 512; }));
  EXPECT_TRUE(differs([](Schedule &s) { s.pad = 4; }));
  EXPECT_TRUE(differs([](Schedule &s) { s.stages[1] = StageLevel::None; }));
}

TEST(Features, TaskFlags) {
  auto set = [](const TaskDesc &task) {
    std::string flags;
    for (bool flag : taskFlags(task).flags)
      flags += flag ? '1' : '0';
    return flags;
  };
  EXPECT_EQ(set(matmul(8, 8, 8)), "0000001000");
  EXPECT_EQ(set(matmul(8, 8, 8, false, false, 4)), "0000000010");
  EXPECT_EQ(set(withBiasRelu(matmul(8, 8, 8))), "1010001000");
  EXPECT_EQ(set(conv2d(14, 8, 8, 3)), "0001000000");
  EXPECT_EQ(set(conv2d(14, 8, 8, 3, 1, true)), "0000010000");
  EXPECT_EQ(set(elementwise(8, 8)), "0010000000");
}
