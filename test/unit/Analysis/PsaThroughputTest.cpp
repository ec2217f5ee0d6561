//===- PsaThroughputTest.cpp - the cycle model of GPUs --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaGpuFixtures.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace pruner;
using namespace pruner::test;

static Analysis analyze(const Schedule &schedule,
                        const Machine &machine = sixtyFourLanes()) {
  return Analysis(matmul(1024, 1024, 1024), schedule, machine);
}

TEST(PsaThroughput, ReductionByHand) {
  Analysis a = analyze(tiles());
  const StatementPsa &update = a.of(StatementKind::Update);
  // 16 accumulators, 4 + 4 operands, 24 for addresses. Of 256 such threads an
  // SM has registers for five blocks; 256 blocks on 108 SMs are three each.
  EXPECT_EQ(update.occupancy.registers, 48);
  EXPECT_EQ(update.occupancy.spilled, 0);
  EXPECT_EQ(update.occupancy.blocks, 3);
  EXPECT_EQ(update.occupancy.limit, OccupancyLimit::Grid);
  EXPECT_DOUBLE_EQ(update.penalties.l2Compute, 256.0 / (3 * 108));
  // 24 warps with 4x4 elements, of 1024 reduction steps each.
  EXPECT_DOUBLE_EQ(update.cycles.multiplyAdds, 24 * 16.0 * 1024 * 32 / 64);
  // Two loads of four elements for each reduction step. A step of 16 is
  // unrolled and costs 3 + 20 instructions. Four schedulers.
  EXPECT_DOUBLE_EQ(update.cycles.issue,
                   24 * (16.0 * 1024 + 2 * 1024 + 64 * 23) / 4);
  // A warp reads 16 different fragments of B, eight lanes at a time: four
  // passes. Of A it reads two, each by 16 lanes in a row: two passes.
  EXPECT_DOUBLE_EQ(update.cycles.loadStore, 24 * 1024.0 * (4 + 2));
  EXPECT_EQ(update.cycles.integer, 0);
  // A warp's own multiply-adds take two cycles of a scheduler's 16 lanes; two
  // cycles for a load; shared memory's latency and the barriers of eight warps
  // in each step.
  EXPECT_DOUBLE_EQ(update.cycles.wait,
                   16.0 * 1024 * 2 + 2 * 1024 * 2 + 64 * (25 + 25 + 4 * 8));
  EXPECT_EQ(update.bytes, 0);
  const SmCycles &c = update.cycles;
  EXPECT_DOUBLE_EQ(update.seconds, (std::pow(std::pow(c.issue, 4) +
                                                 std::pow(c.multiplyAdds, 4) +
                                                 std::pow(c.loadStore, 4),
                                             0.25) +
                                    c.wait) /
                                       1410e6);
}

// Loads of 16 bytes, by how many threads of a block read the same fragment of B
// (one) and of A.
TEST(PsaThroughput, NeighborsWithOneAddressAreServedTogether) {
  auto passes = [](int64_t rows, int64_t columns) {
    Schedule s = tiles();
    s.tiles[0][1] = rows;
    s.tiles[1][1] = columns;
    Analysis a = analyze(s);
    const StatementPsa &update = a.of(StatementKind::Update);
    double warps = update.occupancy.blocks;
    return update.cycles.loadStore / (warps * 1024);
  };
  // Fragments of B by turns of 32, 16, ..., and of A in runs of them. Turns of
  // four differ in two neighbors and in the next two: four passes, not two.
  EXPECT_DOUBLE_EQ(passes(1, 32), 2 + 4);
  EXPECT_DOUBLE_EQ(passes(2, 16), 2 + 4);
  EXPECT_DOUBLE_EQ(passes(8, 4), 2 + 4);
  EXPECT_DOUBLE_EQ(passes(16, 2), 2 + 2);
  EXPECT_DOUBLE_EQ(passes(32, 1), 4 + 2);
}

TEST(PsaThroughput, CopiesByHand) {
  Analysis a = analyze(tiles());
  const StatementPsa &stage = a.of(StatementKind::Stage);
  // A thread loads 16 bytes of a 64x16 box and stores them one by one, because
  // rows of A are columns there. Splitting its index in the box (12
  // instructions) is done once, the address (1) in each of 64 steps.
  double integer = 12 + 64;
  EXPECT_DOUBLE_EQ(stage.cycles.integer, 24 * integer * 32 / 64);
  EXPECT_DOUBLE_EQ(stage.cycles.issue, 24 * (64 * 5 + integer) / 4);
  // A warp's load accesses eight rows. Four columns of each are in one bank.
  EXPECT_DOUBLE_EQ(stage.cycles.loadStore, 24 * 64.0 * (8 + 4 * 4));
  EXPECT_DOUBLE_EQ(stage.cycles.wait, 64 * 500 + 2 * (64 * 5 + integer));
  // All blocks together read A once.
  EXPECT_EQ(stage.bytes, 4 << 20);
  // The loads of B are in flight at the same time. Its rows stay rows.
  const StatementPsa &second = a.of(StatementKind::Stage, 1);
  EXPECT_DOUBLE_EQ(second.cycles.issue, 24 * (64 * 2 + integer) / 4);
  EXPECT_DOUBLE_EQ(second.cycles.wait, 2 * (64 * 2 + integer));
}

// The same with copies that run ahead: A goes through registers, as its rows
// become columns; asynchronous copies move the rows of B.
TEST(PsaThroughput, CopiesAheadByHand) {
  Schedule s = tiles();
  s.pipeline = 3;
  Analysis a = analyze(s);
  const StatementPsa &update = a.of(StatementKind::Update);
  // Four elements of A are held while the 16 accumulators are in use.
  EXPECT_EQ(update.occupancy.registers, 56);
  EXPECT_EQ(update.occupancy.blocks, 3);
  // A step has one barrier and 24 more instructions.
  EXPECT_DOUBLE_EQ(update.cycles.issue,
                   24 * (16.0 * 1024 + 2 * 1024 + 64 * (23 + 24)) / 4);
  EXPECT_DOUBLE_EQ(update.cycles.wait, 16.0 * 1024 * 2 + 2 * 1024 * 2 +
                                           64 * (25 + (25 + 4 * 8) / 2.0));
  // A warp's 256 multiply-adds of a step take 512 cycles, longer than a load.
  // There is only a wait for the load before the first step.
  double integer = 12 + 64;
  const StatementPsa &first = a.of(StatementKind::Stage);
  EXPECT_DOUBLE_EQ(first.cycles.issue, 24 * (64 * 5 + integer) / 4);
  EXPECT_DOUBLE_EQ(first.cycles.wait, 500 + 2 * (64 * 5 + integer));
  // One instruction loads and stores.
  const StatementPsa &second = a.of(StatementKind::Stage, 1);
  EXPECT_DOUBLE_EQ(second.cycles.issue, 24 * (64 * 1 + integer) / 4);
  EXPECT_DOUBLE_EQ(
      second.cycles.loadStore,
      analyze(tiles()).of(StatementKind::Stage, 1).cycles.loadStore);
  EXPECT_LT(a.report.seconds, analyze(tiles()).report.seconds);
}

// Steps that are shorter than the latency hide a part of it, each step that is
// copied ahead as much.
TEST(PsaThroughput, DeeperPipelinesHideMore) {
  Schedule s = tiles();
  s.tiles[2] = {2, 2};
  s.stages = {StageLevel::None, StageLevel::Inner};
  auto wait = [&](int64_t buffers) {
    s.pipeline = buffers;
    Analysis a = analyze(s);
    const SmCycles &c = a.of(StatementKind::Stage).cycles;
    // Without the part that belongs to instructions: 24 warps, four schedulers.
    return c.wait - 2 * c.issue * 4 / 24;
  };
  EXPECT_DOUBLE_EQ(wait(1), 256 * 500);
  EXPECT_DOUBLE_EQ(wait(2), 256 * (500 - 128) + 128);
  EXPECT_DOUBLE_EQ(wait(3), 256 * (500 - 256) + 256);
  EXPECT_DOUBLE_EQ(wait(5), 500);
  // Before sm_80 everything goes through registers: four more.
  Machine turing = sixtyFourLanes();
  turing.arch = "sm_75";
  s.pipeline = 2;
  s.tiles[2] = {1, 1};
  EXPECT_EQ(analyze(s).of(StatementKind::Update).occupancy.registers, 48);
  EXPECT_EQ(analyze(s, turing).of(StatementKind::Update).occupancy.registers,
            56);
}

TEST(PsaThroughput, ResultsByHand) {
  Analysis a = analyze(tiles());
  const StatementPsa &finish = a.of(StatementKind::Finish);
  // Four stores of 16 bytes, each with its address; 16 sectors of a row of a
  // block and two rows, at half of the rate.
  // 40 more instructions with which each warp begins.
  EXPECT_DOUBLE_EQ(finish.cycles.issue, 24 * (3.0 * 4 + 40) / 4);
  EXPECT_DOUBLE_EQ(finish.cycles.integer, 24 * 40.0 * 32 / 64);
  EXPECT_DOUBLE_EQ(finish.cycles.loadStore, 24 * 4.0 * 2 * 16);
  EXPECT_EQ(finish.bytes, 4 << 20);
  EXPECT_EQ(a.of(StatementKind::Init).seconds, 0);
}

TEST(PsaThroughput, RegistersLimitBlocksAndThenSpill) {
  Schedule wide = tiles();
  wide.tiles = {{1, 16, 4, 2}, {1, 16, 4, 2}, {8, 2}};
  Analysis a(matmul(8192, 8192, 1024), wide);
  // 64 + (8 + 8) + 24.
  const StatementPsa &update = a.of(StatementKind::Update);
  EXPECT_EQ(update.occupancy.registers, 104);
  EXPECT_EQ(update.occupancy.limit, OccupancyLimit::Registers);
  EXPECT_EQ(update.occupancy.blocks, 2);

  Schedule wider = wide;
  wider.tiles = {{1, 16, 4, 4}, {1, 16, 4, 4}, {8, 2}};
  Analysis b(matmul(8192, 8192, 1024), wider);
  // 256 + (16 + 8) + 24 of 248: 255, which a block of 256 threads can have, in
  // steps of 8.
  const StatementPsa &spills = b.of(StatementKind::Update);
  double spilled = spills.occupancy.spilled;
  EXPECT_NEAR(spilled, 256 + 24 + 24 - 248, 0.1);
  EXPECT_EQ(spills.occupancy.blocks, 1);
  // Each spilled register is loaded and stored twice in each reduction step,
  // with four passes. Of four loads, those of A access two addresses, each of
  // 16 lanes in a row; those of B are 64 bytes apart, so that four of eight
  // lanes share banks.
  EXPECT_DOUBLE_EQ(spills.cycles.loadStore,
                   8 * 1024.0 * (4 * 2 + 4 * 16 + 4 * 4 * spilled));
  EXPECT_GT(b.report.seconds, a.report.seconds);
}

TEST(PsaThroughput, RegistersMaySpillBelowTheLimit) {
  // 104 registers of 128, one standard deviation less.
  Schedule near = tiles();
  near.tiles = {{1, 32, 4, 2}, {1, 16, 4, 2}, {8, 2}};
  Analysis a(matmul(8192, 8192, 1024), near);
  double density = 0.24197072451914337, below = 0.15865525393145707;
  EXPECT_NEAR(a.of(StatementKind::Update).occupancy.spilled,
              24 * (density - below), 1e-9);
}

TEST(PsaThroughput, LoadsAlongTheSumHoldItsTerms) {
  // Rows of A are read in place. Four terms of each of four rows, eight
  // registers of B at most, 16 sums, and 24.
  Schedule s = tiles();
  s.tiles = {{1, 8, 1, 4}, {1, 32, 1, 4}, {1, 4}};
  s.stages = {StageLevel::None, StageLevel::Inner};
  Analysis four(matmul(1024, 1024, 1024), s);
  EXPECT_EQ(four.of(StatementKind::Update).occupancy.registers,
            4 * 4 + 4 + 16 + 24 + 4);
  // Odd rows are read by single elements.
  Analysis one(matmul(1024, 1024, 1023), s);
  EXPECT_EQ(one.of(StatementKind::Update).occupancy.registers, 4 + 4 + 16 + 24);
}

TEST(PsaThroughput, PaddingResolvesConflictsOfStores) {
  Schedule padded = tiles();
  padded.pad = 1;
  // Columns are in different banks, except neighbors: two passes.
  EXPECT_DOUBLE_EQ(analyze(padded).of(StatementKind::Stage).cycles.loadStore,
                   24 * 64.0 * (8 + 4 * 2));
}

TEST(PsaThroughput, VectorsSaveInstructionsOfCopies) {
  Schedule scalar = tiles();
  scalar.vector = 1;
  EXPECT_GT(analyze(scalar).of(StatementKind::Stage, 1).cycles.issue,
            analyze(tiles()).of(StatementKind::Stage, 1).cycles.issue);
}

TEST(PsaThroughput, LoopsCostUnlessUnrolled) {
  // 4x4 elements and slices of 128 steps, of which 16 are unrolled, or all.
  // They take 64 KiB: two blocks, of 8 warps each, are resident.
  Schedule rolled = tiles();
  rolled.tiles[2] = {8, 16};
  Schedule unrolled = rolled;
  unrolled.unroll = 4096;
  const SmCycles a = analyze(rolled).of(StatementKind::Update).cycles,
                 b = analyze(unrolled).of(StatementKind::Update).cycles;
  EXPECT_DOUBLE_EQ(a.issue - b.issue, 16 * 3.0 * (64 - 8) / 4);
  EXPECT_DOUBLE_EQ(a.wait - b.wait, 25.0 * (64 - 8));
}

TEST(PsaThroughput, TheLastWaveIsWhole) {
  // Blocks of 1024 threads with 8x4 elements: one on each SM. 108 take as long
  // as one, 109 twice as long.
  Schedule s = tiles();
  s.tiles = {{1, 32, 4, 2}, {1, 32, 2, 2}, {8, 2}};
  auto seconds = [&](int64_t blocks) {
    Analysis a(matmul(256 * blocks, 128, 1024), s);
    return a.of(StatementKind::Update).seconds;
  };
  EXPECT_DOUBLE_EQ(seconds(108), seconds(1));
  EXPECT_DOUBLE_EQ(seconds(109), 2 * seconds(1));
}

TEST(PsaThroughput, ScatteredReadsInPlaceCostALineEach) {
  Schedule s = tiles();
  s.stages = {StageLevel::None, StageLevel::None};
  // Lanes run along rows of B, or down its columns.
  Analysis rows(matmul(1024, 1024, 1024), s);
  Analysis columns(matmul(1024, 1024, 1024, false, /*transposeB=*/true), s);
  EXPECT_GT(columns.of(StatementKind::Update).cycles.loadStore,
            2 * rows.of(StatementKind::Update).cycles.loadStore);
  // A step without copies waits for no barrier, but for memory.
  EXPECT_GT(rows.of(StatementKind::Update).cycles.wait,
            analyze(tiles()).of(StatementKind::Update).cycles.wait);
}

/// A matrix of 1024 columns times a vector, a row of it for each of `threads`.
static Schedule rowsInPlace(int64_t threads) {
  Schedule s = tiles();
  s.tiles = {{1, threads, 1, 1}, {1, 1, 1, 1}, {8, 2}};
  s.stages = {StageLevel::None, StageLevel::None};
  return s;
}

TEST(PsaThroughput, UniformReadsTakeNoPass) {
  Analysis a(matmul(1024, 1, 1024), rowsInPlace(256));
  // One block of 8 warps on an SM. 16 of 1024 steps are unrolled, with four
  // loads of 16 bytes of the matrix. Its rows are 4 KiB, so all lanes use the
  // same banks; eight lanes at a time.
  const SmCycles &cycles = a.of(StatementKind::Update).cycles;
  EXPECT_DOUBLE_EQ(cycles.loadStore, 8 * 64 * 4.0 * (4 * 8));
  // Each of the vector's elements takes one instruction and no address.
  EXPECT_DOUBLE_EQ(cycles.issue,
                   8 * (20 + 1024 + 64 * (3 + 4 * (1 + 4) + 16)) / 4.0);
  // The warp's own additions, loads, one accumulator that each waits for, and
  // in each unrolled step the four loads together for L2.
  EXPECT_DOUBLE_EQ(cycles.wait, 1024 * 2 + 2 * 64 * (4 + 16) + 1024 * 3 +
                                    64 * (25 + 500 / 2));
}

TEST(PsaThroughput, EvictedLinesAreReadAgain) {
  TaskDesc task = matmul(1 << 20, 1, 1024);
  Machine machine = sixtyFourLanes();
  double matrix = 4.0 * 1024 * (1 << 20);
  auto bytes = [&](int64_t threads) {
    return Analysis(task, rowsInPlace(threads), machine)
        .of(StatementKind::Update)
        .bytes;
  };
  // 2048 threads of an SM walk along a line each: 256 KiB.
  machine.l1Bytes = 256 << 10;
  machine.l2Bytes = 27 << 20;
  EXPECT_NEAR(bytes(256), matrix, 1e-3 * matrix);
  // With half of that, half of the loads of 16 bytes fetch 32, if L2 has no
  // room for the lines of 108 SMs.
  machine.l1Bytes = 128 << 10;
  EXPECT_NEAR(bytes(256), matrix, 1e-3 * matrix);
  machine.l2Bytes = 1;
  EXPECT_NEAR(bytes(256), 1.5 * matrix, 1e-3 * matrix);
  // 32 blocks of 32 threads are as many lines as L1 holds.
  EXPECT_NEAR(bytes(32), matrix, 1e-3 * matrix);
}

TEST(PsaThroughput, PartsOfASumAreReadOnce) {
  // 16 blocks sum 32 of 512 products each; a second kernel adds their results.
  Schedule s = tiles();
  s.split = {16};
  Analysis a(matmul(128, 1024, 512), s);
  double parts = 16 * 4.0 * 128 * 1024;
  EXPECT_EQ(a.of(StatementKind::Finish).bytes, parts);
  // The positions of the last part that its first one stands for are missing.
  EXPECT_NEAR(a.of(StatementKind::Update, 1).bytes, parts, parts / 16);
}

TEST(PsaThroughput, SmallBlocksWaitForTheirStart) {
  Schedule s;
  s.sketch = SketchId::SimtMap;
  s.stages = {StageLevel::None, StageLevel::None};
  auto map = [&](int64_t threads) {
    s.tiles = {{1, 1}, {threads, 1}};
    return Analysis(elementwise(1024, 4096), s).of(StatementKind::Map);
  };
  StatementPsa small = map(4), large = map(256);
  double starts = 160 * 1024.0 * 1024 / 108 / 1410e6;
  double others = small.seconds - small.launchSeconds;
  EXPECT_NEAR(small.seconds,
              std::cbrt(std::pow(others, 3) + std::pow(starts, 3)),
              1e-9 * starts);
  EXPECT_GT(small.seconds, starts);
  EXPECT_LT(large.launchSeconds, 0.1 * large.seconds);
}

TEST(PsaThroughput, ThreadsCombineASharedSum) {
  Schedule s = tiles();
  s.sketch = SketchId::SimtRow;
  s.stages = {StageLevel::None, StageLevel::None};
  auto wait = [&](int64_t threads) {
    s.tiles = {{1, 1}, {1, 1}, {threads, 1}};
    // Each has the same number of steps.
    return Analysis(matmul(108, 1, 16 * threads), s)
        .of(StatementKind::Update)
        .cycles.wait;
  };
  // Five halvings instead of one, through shared memory's latency each.
  EXPECT_DOUBLE_EQ(wait(32) - wait(2), 4 * 25);
}

TEST(PsaThroughput, FollowsTheDescriptionOfTheSm) {
  Machine half = sixtyFourLanes();
  half.sm.sharedBytesPerCycle = 64;
  EXPECT_DOUBLE_EQ(
      analyze(tiles(), half).of(StatementKind::Update).cycles.loadStore,
      2 * analyze(tiles()).of(StatementKind::Update).cycles.loadStore);
  // Scalars of one pass take as many cycles as the units need for the warp.
  Schedule scalar = tiles();
  scalar.tiles = {{1, 16, 1, 1}, {1, 16, 1, 1}, {8, 2}};
  Machine narrow = sixtyFourLanes();
  narrow.sm.loadStoreLanes = 16;
  EXPECT_GT(analyze(scalar, narrow).of(StatementKind::Update).cycles.loadStore,
            analyze(scalar).of(StatementKind::Update).cycles.loadStore);
}

TEST(PsaThroughput, WavesBeyondL2ReadAgain) {
  // For 16384^3 each wave of 540 blocks, which are two rows of blocks, reads
  // all of B, much more than L2 holds. With a larger cache everything is read
  // once.
  Machine large = sixtyFourLanes();
  large.l2Bytes = int64_t(4) << 30;
  TaskDesc task = matmul(16384, 16384, 16384);
  double tensor = 4.0 * 16384 * 16384;
  EXPECT_EQ(Analysis(task, tiles(), large).of(StatementKind::Stage, 1).bytes,
            tensor);
  EXPECT_GT(Analysis(task, tiles()).of(StatementKind::Stage, 1).bytes,
            50 * tensor);
  EXPECT_LT(Analysis(task, tiles()).of(StatementKind::Stage).bytes, 2 * tensor);
}

TEST(PsaThroughput, PartialSectorsAreWrittenAgain) {
  // Rows of 62 elements of a block end within a sector.
  Machine small = sixtyFourLanes();
  small.l2Bytes = 1 << 20;
  Schedule odd = tiles();
  odd.tiles[1] = {1, 31, 1, 2};
  TaskDesc task = matmul(4096, 62 * 64, 64);
  EXPECT_GT(Analysis(task, odd, small).of(StatementKind::Finish).bytes,
            1.2 * 4 * 4096 * 62 * 64);
  EXPECT_EQ(Analysis(task, odd).of(StatementKind::Finish).bytes,
            4.0 * 4096 * 62 * 64);
}

TEST(PsaThroughput, TermsCanBeLeftOut) {
  for (const ModelTerm *term : gpuTerms()) {
    if (term->name == "tensor")
      continue; // Above.
    PsaOptions options;
    options.withoutTerm = term;
    Analysis without(matmul(1024, 1024, 1024), tiles(), sixtyFourLanes(),
                     options);
    EXPECT_LT(without.report.seconds, analyze(tiles()).report.seconds)
        << term->name.str();
  }
  std::pair<const char *, double SmCycles::*> cycles[] = {
      {"issue", &SmCycles::issue},
      {"multiply-adds", &SmCycles::multiplyAdds},
      {"integer", &SmCycles::integer},
      {"load-store", &SmCycles::loadStore},
      {"wait", &SmCycles::wait}};
  for (auto [name, field] : cycles) {
    PsaOptions options;
    options.withoutTerm = findTerm(gpuTerms(), name);
    ASSERT_TRUE(options.withoutTerm) << name;
    Analysis without(matmul(1024, 1024, 1024), tiles(), sixtyFourLanes(),
                     options);
    for (const StatementPsa &statement : without.report.statements)
      EXPECT_EQ(statement.cycles.*field, 0);
  }
}

TEST(PsaThroughput, ReportsTheLimit) {
  Machine machine = sixtyFourLanes();
  auto limit = [&](const TaskDesc &task, const Schedule &schedule) {
    Analysis a(task, schedule, machine);
    return explainLimit(a.report.statements[a.report.slowest], machine);
  };
  // 64 threads for each SM: 1024^3 in 16 blocks of 64x64 threads and elements.
  Schedule few = tiles();
  few.tiles = {{1, 8, 4, 2}, {1, 8, 4, 2}, {8, 2}};
  EXPECT_EQ(limit(matmul(64, 64 * 108, 1024), few).substr(0, 8), "waiting:");
  Schedule map;
  map.sketch = SketchId::SimtMap;
  map.tiles = {{1, 1}, {256, 4}};
  map.stages = {StageLevel::None, StageLevel::None};
  map.unroll = 0;
  EXPECT_EQ(limit(elementwise(4096, 4096), map).substr(0, 16),
            "memory bandwidth");
}

TEST(PsaThroughput, ElementwiseNeedsCoalescing) {
  TaskDesc task = elementwise(4096, 4096);
  Schedule good;
  good.sketch = SketchId::SimtMap;
  good.tiles = {{1, 1}, {256, 4}};
  good.stages = {StageLevel::None, StageLevel::None};
  good.unroll = 0;
  Schedule column = good;
  column.tiles = {{256, 4}, {1, 1}};
  EXPECT_GT(Analysis(task, column).report.seconds,
            2 * Analysis(task, good).report.seconds);
}
