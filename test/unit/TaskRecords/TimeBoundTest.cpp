//===- TimeBoundTest.cpp - the least time a task can take -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordFixtures.h"

#include "TimeBound.h"

using namespace pruner;
using namespace pruner::test;

namespace {

struct TimeBound : TuneFixture {
  Machine cpu() {
    Machine machine;
    machine.vectorBytes = 64;
    machine.transactionBytes = 64;
    machine.l1Bytes = 32 << 10;
    return machine;
  }
};

// 32 * 64 * 48 multiply-adds, 16 per instruction, 4 instructions per cycle.
TEST_F(TimeBound, OfReductions) {
  EXPECT_DOUBLE_EQ(leastSeconds(task().desc, cpu(), 1), 98304. / 16 / 4 / 7e9);
  EXPECT_DOUBLE_EQ(leastSeconds(task().desc, cpu(), 2), 98304. / 16 / 4 / 14e9);
  Machine gpu;
  gpu.kind = Machine::Kind::Gpu;
  EXPECT_DOUBLE_EQ(leastSeconds(task().desc, gpu, 1), 1 / 7e9);
  gpu.peakFlops = 1e12;
  EXPECT_DOUBLE_EQ(leastSeconds(task().desc, gpu, 1),
                   2 * 98304. / (2 * 1.25 * 1e12));
}

// Tile registers multiply 2,048 bytes of bf16 per cycle, vectors 256.
TEST_F(TimeBound, OfTiles) {
  TaskDesc narrow = task().desc;
  StatementDesc &anchor = narrow.statements[narrow.anchor];
  for (const OperandDesc &input : anchor.inputs)
    narrow.tensors[input.tensor].type = ElementType::BF16;
  Machine machine = cpu();
  EXPECT_DOUBLE_EQ(leastSeconds(narrow, machine, 1), 98304. * 2 / 256 / 7e9);
  machine.arch = "sapphirerapids";
  EXPECT_DOUBLE_EQ(leastSeconds(narrow, machine, 1), 98304. * 2 / 256 / 7e9);
  anchor.product = {true, true};
  EXPECT_DOUBLE_EQ(leastSeconds(narrow, machine, 1), 98304. * 2 / 2048 / 7e9);
  machine.arch = "znver5";
  EXPECT_DOUBLE_EQ(leastSeconds(narrow, machine, 1), 98304. * 2 / 256 / 7e9);
}

/// y[i] = x[f(i)] over `extent` points.
TaskDesc makeCopy(int64_t extent, LinearExpr read, int64_t inputExtent) {
  TaskDesc task;
  TensorDesc x, y;
  x.shape = {inputExtent};
  x.argument = 0;
  y.shape = {extent};
  y.argument = 1;
  task.tensors = {x, y};
  StatementDesc statement;
  statement.dims = {{extent, false}};
  statement.inputs.push_back({0, {read}, false});
  statement.output = {1, identityMap(1), false};
  statement.ops.floatMul = 1;
  task.statements = {statement};
  task.prologues = {-1};
  return task;
}

// Bytes beyond the L1 cache are loaded by lines. Elements that a stride skips,
// and repeated reads, do not count.
// Tensor cores of an SM multiply 2,048 bytes per cycle.
TEST_F(TimeBound, OfTensorCores) {
  TaskDesc narrow = task().desc;
  StatementDesc &anchor = narrow.statements[narrow.anchor];
  for (const OperandDesc &input : anchor.inputs)
    narrow.tensors[input.tensor].type = ElementType::BF16;
  anchor.product = {true, true};
  Machine gpu;
  gpu.kind = Machine::Kind::Gpu;
  gpu.arch = "sm_80";
  gpu.units = 100;
  gpu.clockMHz = 1000;
  gpu.peakFlops = 1e13;
  gpu.sm.halfTensorRate = 1024;
  gpu.sm.byteTensorRate = 2048;
  double bytes = 2 * 98304.;
  EXPECT_DOUBLE_EQ(leastSeconds(narrow, gpu, 1),
                   bytes / (2 * 1.25 * 2048 * 100 * 1e9));
  // An older chip has no such instructions.
  gpu.arch = "sm_70";
  EXPECT_DOUBLE_EQ(leastSeconds(narrow, gpu, 1),
                   bytes * 2 / 4 / (2 * 1.25 * 1e13));
}

TEST_F(TimeBound, OfMemory) {
  int64_t n = 1 << 20;
  LinearExpr one{{1}, 0}, two{{2}, 0}, none{{0}, 0};
  double line = 2 * 64 * 7e9, l1 = 32 << 10;
  EXPECT_DOUBLE_EQ(leastSeconds(makeCopy(n, one, n), cpu(), 1),
                   (8. * n - l1) / line);
  EXPECT_DOUBLE_EQ(leastSeconds(makeCopy(n, two, 2 * n), cpu(), 1),
                   (8. * n - l1) / line);
  EXPECT_DOUBLE_EQ(leastSeconds(makeCopy(n, none, n), cpu(), 1),
                   (4. * n + 4 - l1) / line);
  // In the cache: at least one cycle.
  EXPECT_DOUBLE_EQ(leastSeconds(makeCopy(64, one, 64), cpu(), 1), 1 / 7e9);
}

} // namespace
