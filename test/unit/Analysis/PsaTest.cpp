//===- PsaTest.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaFixtures.h"

using namespace pruner;
using namespace pruner::test;

/// 1024^3 in 256 blocks of 256 threads, 4x4 elements each (64x64 a block).
static Schedule workedExample() {
  Schedule s;
  s.sketch = SketchId::SimtTile;
  s.tiles = {{1, 16, 2, 2}, {1, 16, 2, 2}, {8, 2}};
  s.stages = {StageLevel::Inner, StageLevel::Inner};
  s.unroll = 64;
  return s;
}

static const PsaOptions kPaper{PsaForm::Paper};

// The released code's own figures for this schedule on its default device, to
// all printed digits.
TEST(Psa, ReleasedFormReproducesTheWorkedExample) {
  TaskDesc task = matmul(1024, 1024, 1024);
  ProgramSummary summary = program(task, workedExample());
  PsaOptions options;
  options.form = PsaForm::Released;
  PsaReport report = analyzePsa(summary, gpu(), options);
  const StatementPsa &update = of(report, summary, StatementKind::Update);
  EXPECT_EQ(update.symbols.l0Alloc, 24);
  EXPECT_EQ(update.symbols.l0Ops, 32768);
  EXPECT_EQ(update.symbols.l0Traffic, 8208);
  EXPECT_NEAR(1 / update.penalties.l0Compute, 1.2003, 5e-5);
  EXPECT_NEAR(update.penalties.l2Compute, 0.790123, 5e-7);
  EXPECT_NEAR(update.computeSeconds * 1e3, 0.167385, 5e-7);
  EXPECT_NEAR(of(report, summary, StatementKind::Stage).seconds * 1e3,
              0.0100482, 5e-8);
  EXPECT_NEAR(of(report, summary, StatementKind::Finish).seconds * 1e3,
              0.000628, 5e-7);
  EXPECT_NEAR(report.seconds * 1e3, 0.188110, 5e-7);
  EXPECT_EQ(report.seconds, psaSeconds(summary, gpu(), options));
}

TEST(Psa, PaperFormOnTheWorkedExample) {
  TaskDesc task = matmul(1024, 1024, 1024);
  ProgramSummary summary = program(task, workedExample());
  PsaReport report = analyzePsa(summary, gpu(), kPaper);
  const StatementPsa &update = of(report, summary, StatementKind::Update);
  const StatementPsa &stage = of(report, summary, StatementKind::Stage);
  EXPECT_EQ(update.symbols.l2Parallel, 256);
  EXPECT_EQ(update.symbols.l1Parallel, 256);
  // 64x16 elements twice, 4 bytes each.
  EXPECT_EQ(update.symbols.l1Alloc, 8192);
  EXPECT_DOUBLE_EQ(update.symbols.l2Ops, 2.0 * 1024 * 1024 * 1024);
  // The first operand: each of the 256 blocks reads 64 x 1024 floats.
  EXPECT_EQ(stage.symbols.l2Traffic, 256.0 * 64 * 1024 * 4);
  // 16 reduction elements in a row = 64 bytes = two whole sectors.
  EXPECT_EQ(stage.symbols.l2Run, 64);
  EXPECT_EQ(stage.penalties.l2Memory, 1);
  // 8 warps on 4 schedulers, all lanes busy.
  EXPECT_EQ(update.penalties.l1Compute, 1);
  EXPECT_NEAR(update.penalties.l2Compute, 256.0 / 324, 1e-12);
  double sum = 0;
  for (const StatementPsa &statement : report.statements)
    sum += statement.computeSeconds + statement.memorySeconds;
  EXPECT_DOUBLE_EQ(report.seconds, sum);
  EXPECT_EQ(report.seconds, psaSeconds(summary, gpu(), kPaper));
}

TEST(Psa, GpuPenalties) {
  TaskDesc task = matmul(1024, 1024, 1024);
  auto update = [&](const Schedule &s) {
    ProgramSummary summary = program(task, s);
    return of(analyzePsa(summary, gpu(), kPaper), summary,
              StatementKind::Update);
  };
  // 80 threads are 3 warps: 3 of 4 schedulers, 80 of 96 lanes.
  Schedule odd = workedExample();
  odd.tiles[0] = {1, 5, 2, 2};
  EXPECT_NEAR(update(odd).penalties.l1Compute, 3.0 / 4 * 80 / 96, 1e-12);
  // 64 blocks on 108 SMs.
  Schedule big = workedExample();
  big.tiles[0] = {1, 16, 4, 2};
  big.tiles[1] = {1, 16, 4, 2};
  EXPECT_NEAR(update(big).penalties.l2Compute, 64.0 / 108, 1e-12);
  // Larger register tiles load fewer operands per operation.
  EXPECT_GT(update(big).penalties.l0Compute,
            update(workedExample()).penalties.l0Compute);
}

TEST(Psa, DisabledPenaltiesAreOne) {
  TaskDesc task = matmul(1024, 1024, 1024);
  Schedule schedule = workedExample();
  // 6x6 threads and 3 columns of a slice: warps, waves and sectors in part.
  schedule.tiles = {{1, 6, 8, 8}, {1, 6, 8, 8}, {1, 3}};
  ProgramSummary summary = program(task, schedule);
  PsaReport full = analyzePsa(summary, gpu(), kPaper);
  for (double Penalties::*penalty :
       {&Penalties::l0Memory, &Penalties::l0Compute, &Penalties::l1Memory,
        &Penalties::l1Compute, &Penalties::l2Memory, &Penalties::l2Compute,
        &Penalties::concurrency}) {
    PsaOptions options = kPaper;
    options.without = penalty;
    PsaReport report = analyzePsa(summary, gpu(), options);
    bool charged = false;
    for (unsigned i = 0; i < report.statements.size(); ++i) {
      charged |= full.statements[i].penalties.*penalty < 1;
      EXPECT_EQ(report.statements[i].penalties.*penalty, 1);
      EXPECT_LE(report.statements[i].seconds, full.statements[i].seconds);
    }
    if (charged)
      EXPECT_LT(report.seconds, full.seconds);
  }
  const Penalties &update = of(full, summary, StatementKind::Update).penalties;
  EXPECT_LT(update.l0Compute, 1);
  EXPECT_LT(update.l1Compute, 1);
  EXPECT_LT(update.l2Compute, 1);
}

TEST(Psa, GpuMapNeedsCoalescingAndParallelism) {
  TaskDesc task = elementwise(4096, 4096);
  Schedule good;
  good.sketch = SketchId::SimtMap;
  good.tiles = {{1, 1}, {256, 4}};
  good.stages = {StageLevel::None, StageLevel::None};
  good.unroll = 0;
  // Threads down a column: each access is a sector of its own.
  Schedule column = good;
  column.tiles = {{256, 4}, {1, 1}};
  EXPECT_GT(seconds(task, column, gpu()), 3 * seconds(task, good, gpu()));
  Schedule narrow = good;
  narrow.tiles = {{1, 1}, {32, 1}};
  Schedule one = good;
  one.tiles = {{4096, 1}, {1, 1}};
  EXPECT_GT(seconds(task, one, gpu()), seconds(task, good, gpu()));
}

// Each parameter of a core that is made slower slows some schedule down, by at
// most its factor. If nothing is moved twice, cache states differ by cold
// accesses only.
TEST(Psa, ReportsAreReadable) {
  TaskDesc task = matmul(480, 512, 512);
  ProgramSummary summary = program(task, cpuTile(1, 8));
  PsaReport report = analyzePsa(summary, cpu());
  EXPECT_EQ(explainLimit(report.statements[report.slowest], cpu()),
            "latency of accumulation: 98 % of the time");
  llvm::json::Value json = toJson(summary, report);
  const llvm::json::Array *statements =
      json.getAsObject()->getArray("statements");
  ASSERT_TRUE(statements);
  EXPECT_EQ(statements->size(), summary.statements.size());
  EXPECT_EQ(json.getAsObject()->getNumber("seconds"), report.seconds);
}
