//===- PsaCpuTest.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaFixtures.h"

#include <cmath>

using namespace pruner;
using namespace pruner::test;

TEST(Psa, CpuRegisterTiles) {
  TaskDesc task = matmul(480, 512, 512);
  Machine avx2 = cpu();
  double good = seconds(task, cpuTile(6, 16), avx2);
  // One accumulator: an FMA latency per step. Scalar code: idle lanes. A wide
  // and flat tile: as many loads as FMAs.
  EXPECT_GT(seconds(task, cpuTile(1, 8), avx2), 4 * good);
  EXPECT_GT(seconds(task, cpuTile(6, 16, 1), avx2), 4 * good);
  EXPECT_GT(seconds(task, cpuTile(12, 8), avx2), 1.049 * good);
  EXPECT_GT(seconds(task, cpuTile(1, 64), avx2), 1.2 * good);
  // Between 60 % of the peak and the peak.
  double roof = task.flops() / avx2.peakFlops;
  EXPECT_GT(good, roof);
  EXPECT_LT(good, roof / 0.6);
}

// In vectors of eight: the accumulators, the operand with fewer vectors, and
// one of the other.
TEST(Psa, CpuHoldsTheOperandWithFewerVectors) {
  TaskDesc task = matmul(480, 480, 512);
  struct {
    int64_t rows, columns, registers;
  } cases[] = {{6, 16, 12 + 2 + 1}, {2, 48, 12 + 2 + 1}, {3, 32, 12 + 3 + 1},
               {4, 24, 12 + 3 + 1}, {1, 8, 1 + 1 + 1},   {1, 96, 12 + 12 + 1}};
  for (const auto &each : cases) {
    ProgramSummary summary = program(task, cpuTile(each.rows, each.columns));
    PsaReport report = analyzePsa(summary, cpu());
    EXPECT_EQ(of(report, summary, StatementKind::Update).symbols.l0Alloc,
              8 * each.registers)
        << each.rows << " x " << each.columns;
  }
}

TEST(Psa, CpuFollowsTheDescriptionOfTheCore) {
  TaskDesc task = matmul(480, 512, 512);
  Schedule narrow = cpuTile(1, 8), flat = cpuTile(12, 8), good = cpuTile(6, 16);
  Schedule inPlace = good;
  inPlace.stages = {StageLevel::None, StageLevel::None};
  struct {
    double CoreModel::*number;
    double factor; ///< That makes it slower.
    Schedule schedule;
    double least; ///< The least share of the resulting time.
  } cases[] = {{&CoreModel::fmaLatency, 2, narrow, 1.5},
               {&CoreModel::loadsPerCycle, 0.5, flat, 1.5},
               {&CoreModel::issueWidth, 0.25, good, 1.5},
               {&CoreModel::loopOverhead, 16, cpuTile(1, 16), 1.1},
               {&CoreModel::restartCycles, 3, good, 1.01},
               {&CoreModel::copyCycles, 8, good, 1.001},
               {&CoreModel::rowCycles, 50, good, 1.001},
               {&CoreModel::l2BytesPerCycle, 0.02, inPlace, 1.5}};
  for (const auto &each : cases) {
    Machine machine = cpu();
    double before = seconds(task, each.schedule, machine);
    machine.core.*each.number *= each.factor;
    double after = seconds(task, each.schedule, machine);
    ptrdiff_t which = &each - cases;
    EXPECT_GE(after, each.least * before) << which;
    EXPECT_LE(after, std::max(each.factor, 1 / each.factor) * before) << which;
  }
  // A rate of the last-level cache replaces the estimate.
  Machine machine = cpu();
  machine.l3Bytes = 64 << 20;
  double guessed = seconds(task, inPlace, machine);
  machine.core.l3Bandwidth = 1e9;
  EXPECT_GT(seconds(task, inPlace, machine), guessed);
}

TEST(Psa, CpuIntegersAreMultipliedAndAddedApart) {
  Machine avx2 = cpu();
  TaskDesc task = matmul(480, 512, 512);
  double floats = seconds(task, cpuTile(6, 16), avx2);
  OpCounts ops;
  ops.intMul = ops.intAddSub = 1;
  task.statements[0].ops = ops;
  for (TensorDesc &tensor : task.tensors)
    tensor.type = ElementType::I32;
  double integers = seconds(task, cpuTile(6, 16), avx2);
  EXPECT_GT(integers, 2.2 * floats);
  EXPECT_LT(integers, 3 * floats);
  // A product of 16 bits takes half of the time of one of 32.
  for (TensorDesc &tensor : task.tensors)
    tensor.type = ElementType::I16;
  double narrow = seconds(task, cpuTile(6, 16), avx2);
  EXPECT_GT(narrow, 1.4 * floats);
  EXPECT_LT(narrow, 2 * floats);
}

TEST(Psa, CpuEdgesCostWholeVectors) {
  // 17 columns are 3 vectors of 8, 24 are as well.
  Machine avx2 = cpu();
  Schedule s = cpuTile(6, 8);
  s.tiles[1] = {1, 3, 8};
  double odd = seconds(matmul(480, 17, 512), s, avx2);
  double whole = seconds(matmul(480, 24, 512), s, avx2);
  EXPECT_NEAR(odd, whole, 0.1 * whole);
}

TEST(Psa, CpuReadsOfTwoLinesArePenalized) {
  // Rows of 65 lines, and rows that begin anywhere in a line; as many loads as
  // multiply-adds.
  Machine avx2 = cpu();
  Schedule s = cpuTile(1, 64);
  s.stages = {StageLevel::None, StageLevel::None};
  s.tiles = {{1, 480, 1}, {1, 1, 64}, {16}};
  double whole = seconds(matmul(480, 1040, 512), s, avx2);
  EXPECT_GT(seconds(matmul(480, 1041, 512), s, avx2), 1.15 * whole);
}

TEST(Psa, CpuHorizontalReductionsArePenalized) {
  // A vector of 8 is reduced after 4 steps, or after 64.
  TaskDesc task = matmul(5, 5, 8192, false, /*transposeB=*/true);
  Schedule s;
  s.tiles = {{1, 1, 1}, {1, 1, 5}, {512}};
  s.stages = {StageLevel::None, StageLevel::None};
  s.vectorDim = 2;
  s.vector = 8;
  // On a machine where all other costs are negligible.
  Machine near = cpu();
  near.memoryBandwidth = near.core.l3Bandwidth = 1e15;
  near.core.l2BytesPerCycle = 1e6;
  near.core.restartCycles = near.core.lineMissCycles = 1e-9;
  double rare = seconds(task, s, near);
  s.tiles[2] = {32};
  EXPECT_GT(seconds(task, s, near), 1.3 * rare);
}

TEST(Psa, CpuHorizontalReductionsOnTheCriticalPathTakeTheirLatency) {
  // The horizontal reduction of 8 lanes is three times a shuffle and an
  // addition. For a tile of one row, a statement that computes with the result
  // waits for them; with eight rows there are as many cycles of work. If the
  // result is only stored, the next one overlaps.
  Machine avx2 = cpu();
  TaskDesc task = matmul(480, 512, 512);
  auto awaited = [&](int64_t rows) {
    Schedule lanes = cpuTile(rows, 1);
    lanes.vectorDim = 2;
    ProgramSummary stored = program(task, lanes), used = stored;
    for (StatementSummary &statement : used.statements)
      if (statement.kind == StatementKind::Finish)
        statement.kind = StatementKind::Map;
    auto cycles = [&](const ProgramSummary &summary) {
      return of(analyzePsa(summary, avx2), summary, StatementKind::Update)
          .computeSeconds;
    };
    return cycles(used) / cycles(stored);
  };
  EXPECT_GT(awaited(1), 1.01);
  EXPECT_DOUBLE_EQ(awaited(8), 1);
}

TEST(Psa, CpuTransposedResultsNeedNeighbors) {
  // Vectors along the rows of C. Eight neighbors in a row are transposed and
  // stored eight at a time; eight elements below each other are stored one by
  // one.
  TaskDesc task = matmul(512, 512, 16);
  Machine near = cpu();
  near.memoryBandwidth = near.core.l3Bandwidth = 1e15;
  near.core.l2BytesPerCycle = 1e6;
  near.core.restartCycles = near.core.lineMissCycles = 1e-9;
  Schedule s = cpuTile(8, 8);
  s.vectorDim = 0;
  s.stages = {StageLevel::Outer, StageLevel::None};
  s.tiles = {{1, 64, 8}, {1, 64, 8}, {16}};
  double neighbors = seconds(task, s, near);
  s.tiles = {{1, 8, 64}, {1, 512, 1}, {16}};
  EXPECT_GT(seconds(task, s, near), 1.3 * neighbors);
}

TEST(Psa, CpuShortRunsSlowMemoryDown) {
  // From memory, pieces of 64 elements of 64 rows in alternation, and row by
  // row: runs of 256 bytes instead of a page are 4 halvings, of 3 % each.
  Machine avx2 = cpu();
  TaskDesc task = elementwise(4096, 4096);
  Schedule across;
  across.sketch = SketchId::CpuMap;
  across.tiles = {{64, 1}, {1, 64}};
  across.stages = {StageLevel::None, StageLevel::None};
  across.vector = 8;
  Schedule along = across;
  along.tiles = {{1, 1}, {64, 64}};
  auto memory = [&](const Schedule &schedule) {
    return analyzePsa(program(task, schedule), avx2)
        .statements.front()
        .memorySeconds;
  };
  EXPECT_DOUBLE_EQ(memory(across), 1.12 * memory(along));
}

TEST(Psa, CpuStatementsReuseDataOfEarlierOnes) {
  // The same statement twice. In one tree of loops the second one finds 3 x 64
  // elements in L1. In separate trees, with 192 MiB accessed in between, it
  // finds nothing.
  TaskDesc task = elementwise(4096, 4096);
  Schedule s;
  s.sketch = SketchId::CpuMap;
  s.tiles = {{1, 1}, {1, 64}};
  s.stages = {StageLevel::None, StageLevel::None};
  s.vector = 8;
  auto second = [&](unsigned sharedLoops) {
    ProgramSummary twice = program(task, s);
    twice.statements.push_back(twice.statements.front());
    StatementSummary &again = twice.statements.back();
    again.sharedLoops = sharedLoops;
    PsaReport report = analyzePsa(twice, cpu());
    EXPECT_GT(report.statements.front().memorySeconds, 0);
    return report.statements.back().memorySeconds /
           report.statements.front().memorySeconds;
  };
  ProgramSummary once = program(task, s);
  const StatementSummary &only = once.statements.front();
  unsigned enclosing = only.loops.size() - only.ownLoops;
  EXPECT_EQ(second(enclosing), 0);
  EXPECT_EQ(second(0), 1);
}

TEST(Psa, CpuCopiesOfDistantElementsGoOneByOne) {
  // Windows at distance 2 are packed by vectors with a shuffle, at distance 8
  // element by element: each is a store, which takes a cycle.
  Machine avx2 = cpu();
  auto copying = [&](int64_t stride) {
    TaskDesc task = conv2d(16, 1, 16, 3, stride);
    Schedule s;
    s.sketch = SketchId::CpuTile;
    s.tiles = {{1, 1, 1}, {1, 1, 4}, {2, 1, 8}, {1, 1, 2}, {3}, {3}, {1}};
    s.stages = {StageLevel::Inner, StageLevel::None};
    s.vector = 8;
    s.vectorDim = 2;
    ProgramSummary summary = program(task, s);
    return analyzePsa(summary, avx2).statements.front().computeSeconds /
           double(summary.statements.front().totalTrips());
  };
  constexpr double kCycle = 1 / 3e9;
  EXPECT_LT(copying(2), kCycle);
  EXPECT_GT(copying(8), kCycle);
}

TEST(Psa, CpuStridedReadsArePenalized) {
  // B transposed and read in place: 8 loads per vector.
  Machine avx2 = cpu();
  TaskDesc task = matmul(480, 512, 512, false, /*transposeB=*/true);
  Schedule packed = cpuTile(6, 16), inPlace = packed;
  inPlace.stages[1] = StageLevel::None;
  EXPECT_GT(seconds(task, inPlace, avx2), 1.2 * seconds(task, packed, avx2));
}

TEST(Psa, CpuRowsAPageApartArePenalized) {
  // 256 rows of B, 64 bytes each, at a distance of 4 KiB share 8 lines' worth
  // of L1; packed they are 16 KiB that stay there.
  Machine avx2 = cpu();
  TaskDesc task = matmul(1026, 1024, 1024);
  Schedule packed = cpuTile(6, 16);
  packed.stages = {StageLevel::None, StageLevel::Inner};
  packed.tiles = {{1, 171, 6}, {1, 8, 16}, {256}};
  Schedule inPlace = packed;
  inPlace.stages[1] = StageLevel::None;
  EXPECT_GT(seconds(task, inPlace, avx2), 1.4 * seconds(task, packed, avx2));
}

TEST(Psa, CpuManyRowsAPageApartArePenalized) {
  // 8 ways of L1: 14 rows of A side by side, 4 KiB apart, leave it between two
  // steps. 4 rows do not, nor do rows of 4160 bytes.
  Machine avx2 = cpu();
  auto ratio = [&](int64_t rows, int64_t k) {
    Schedule inPlace = cpuTile(rows, 8), packed = inPlace;
    inPlace.stages = {StageLevel::None, StageLevel::Inner};
    packed.stages = {StageLevel::Inner, StageLevel::Inner};
    TaskDesc task = matmul(480, 512, k);
    return seconds(task, inPlace, avx2) / seconds(task, packed, avx2);
  };
  EXPECT_GT(ratio(14, 1024), 1.5);
  EXPECT_LT(ratio(4, 1024), 1.2);
  EXPECT_LT(ratio(14, 1040), 1.2);
}

TEST(Psa, CpuMapsOfRowsAPageApartArePenalized) {
  // 16 rows of two operands and the result, 4 KiB apart, are 48 lines of each
  // set, which has 8 ways. 2 rows are 6 lines, and rows of 4160 bytes map to
  // 64 sets.
  Machine avx2 = cpu();
  auto ratio = [&](int64_t rows, int64_t columns) {
    Schedule together;
    together.sketch = SketchId::CpuMap;
    together.tiles = {{1, rows}, {8, 8}};
    together.stages = {StageLevel::None, StageLevel::None};
    together.vector = 8;
    Schedule single = together;
    single.tiles.front() = {1, 1};
    TaskDesc task = elementwise(4096, columns);
    auto compute = [&](const Schedule &schedule) {
      return analyzePsa(program(task, schedule), avx2)
          .statements.front()
          .computeSeconds;
    };
    return compute(together) / compute(single);
  };
  EXPECT_GT(ratio(16, 1024), 1.5);
  EXPECT_DOUBLE_EQ(ratio(2, 1024), 1);
  EXPECT_DOUBLE_EQ(ratio(16, 1040), 1);
}

TEST(Psa, CpuShortReductionsArePenalized) {
  // Accumulators are loaded and stored for every slice.
  Machine avx2 = cpu();
  TaskDesc task = matmul(480, 512, 512);
  Schedule whole = cpuTile(6, 16);
  whole.stages = {StageLevel::None, StageLevel::Inner};
  whole.tiles = {{1, 20, 6}, {1, 8, 16}, {64}};
  Schedule sliced = whole;
  sliced.tiles[2] = {16};
  EXPECT_GT(seconds(task, sliced, avx2), 1.1 * seconds(task, whole, avx2));
}

TEST(Psa, CpuExitsOfShortReductionsArePredicted) {
  // 4,096 sums of rows: the cost of long rows in addition to their steps.
  Machine avx2 = cpu();
  avx2.core.restartCycles = 20;
  Machine never = avx2;
  never.core.restartCycles = 0;
  auto ends = [&](int64_t steps) {
    TaskDesc task = matmul(64, 64, steps);
    Schedule s;
    s.tiles = {{1, 1, 1}, {1, 1, 1}, {steps}};
    s.stages = {StageLevel::None, StageLevel::None};
    return seconds(task, s, avx2) - seconds(task, s, never);
  };
  EXPECT_EQ(ends(64), 0);
  EXPECT_NEAR(ends(65), 4096 * 20 / 3e9, 1e-6);
}

TEST(Psa, CpuAccumulatorSetsHideLatency) {
  EXPECT_EQ(accumulatorSets(1, 1), 1);
  EXPECT_EQ(accumulatorSets(3, 1), 1);
  EXPECT_EQ(accumulatorSets(4, 1), 4);
  EXPECT_EQ(accumulatorSets(16, 1), 8);
  EXPECT_EQ(accumulatorSets(8, 3), 2);
  EXPECT_EQ(accumulatorSets(8, 12), 1);

  // A single sum waits for the previous one, four do not.
  TaskDesc task = matmul(1, 1, 8192);
  Schedule s;
  s.tiles = {{1, 1, 1}, {1, 1, 1}, {1024}};
  s.stages = {StageLevel::None, StageLevel::None};
  s.vectorDim = 2;
  s.vector = 8;
  double one = seconds(task, s, cpu());
  s.unroll = 4;
  EXPECT_LT(seconds(task, s, cpu()), 0.9 * one);
}

TEST(Psa, CpuPackedTilesBeyondTheCachesArePenalized) {
  Machine avx2 = cpu();
  TaskDesc task = matmul(960, 4096, 4096);
  Schedule good = cpuTile(6, 16);
  good.tiles = {{10, 16, 6}, {8, 32, 16}, {256}};
  // The packed slice of B has 8 MiB: it comes from beyond L2 for each of the
  // 10 row tiles.
  Schedule large = good;
  large.tiles = {{160, 1, 6}, {1, 256, 16}, {512}};
  EXPECT_GT(seconds(task, large, avx2), 1.1 * seconds(task, good, avx2));
}

TEST(Psa, CpuChunksMatterOnlyToSeveralThreads) {
  TaskDesc task = matmul(480, 512, 512);
  Machine cores = cpu(32, 16, 4);
  Schedule five = cpuTile(6, 16); // 10 x 4 chunks
  Schedule one = five;
  one.tiles[0] = {10, 8, 6};
  one.tiles[1] = {8, 4, 16};
  PsaOptions alone;
  alone.threads = 1;
  EXPECT_GT(seconds(task, one, cores), 2.5 * seconds(task, five, cores));
  EXPECT_LT(seconds(task, one, cores, alone),
            1.5 * seconds(task, five, cores, alone));
}

TEST(Psa, ColdAccessesDependOnTheCacheState) {
  Machine machine = cpu();
  machine.l2Bytes = 1 << 20;
  machine.l3Bytes = 16 << 20;
  machine.core.l3Bandwidth = 1e11;
  machine.memoryBandwidth = 1e10;
  TaskDesc task = elementwise(128, 128);
  Schedule map;
  map.sketch = SketchId::CpuMap;
  map.tiles = {{1, 1}, {1, 8}};
  map.stages = {StageLevel::None, StageLevel::None};
  map.vector = 8;
  constexpr double kBytes = 128 * 128 * 4;
  auto memory = [&](std::optional<CacheState> caches) {
    PsaOptions options;
    options.threads = 1;
    options.caches = std::move(caches);
    return analyzePsa(program(task, map), machine, options)
        .statements.front()
        .memorySeconds;
  };
  constexpr int64_t far = int64_t(1) << 30, near = 1 << 16, middle = 4 << 20;
  // X and Y are read. Z is written, which counts twice.
  const double fromMemory = kBytes * (1 / 1e10 + 1 / 1e11);
  EXPECT_DOUBLE_EQ(memory(std::nullopt), 4 * fromMemory);
  EXPECT_EQ(memory(CacheState()), 0);
  EXPECT_DOUBLE_EQ(memory(CacheState{{{far, far}, {near, near}, {near, near}}}),
                   fromMemory);
  EXPECT_DOUBLE_EQ(memory(CacheState{{{near, near}, {near, near}, {far, far}}}),
                   2 * fromMemory);
  EXPECT_DOUBLE_EQ(memory(CacheState{{{middle, middle}, {0, 0}, {0, 0}}}),
                   kBytes / 1e11);
  // The last bytes were accessed just before, and three quarters of a cache
  // count.
  EXPECT_DOUBLE_EQ(memory(CacheState{{{24 << 20, 0}, {0, 0}, {0, 0}}}),
                   kBytes *
                       ((24 - 12) / 24.0 / 1e10 + (24 - 0.75) / 24.0 / 1e11));
}

// A result is read before it is written, unless it is stored around the caches.
TEST(Psa, CpuNonTemporalStoresReadNoLines) {
  Machine machine = cpu();
  machine.memoryBandwidth = 1e10;
  TaskDesc task = elementwise(4096, 4096);
  Schedule map;
  map.sketch = SketchId::CpuMap;
  map.tiles = {{1, 1}, {1, 8}};
  map.stages = {StageLevel::None, StageLevel::None};
  map.vector = 8;
  const ModelTerm *allocate = findTerm(cpuTerms(), "write-allocate");
  const ModelTerm *memory = findTerm(cpuTerms(), "memory");
  auto analyze = [&](int64_t stream, std::optional<CacheState> caches) {
    map.stream = stream;
    PsaOptions options;
    options.threads = 1;
    options.caches = std::move(caches);
    return analyzePsa(program(task, map), machine, options).statements.front();
  };
  auto seconds = [](const StatementPsa &psa, const ModelTerm *term) {
    return psa.termSeconds[llvm::find(cpuTerms(), term) - cpuTerms().begin()];
  };
  // X and Y are read, Z is written.
  const double each = 4096.0 * 4096 * 4 / 1e10;
  StatementPsa stored = analyze(0, std::nullopt);
  EXPECT_DOUBLE_EQ(seconds(stored, memory), 3 * each);
  EXPECT_DOUBLE_EQ(seconds(stored, allocate), each);
  StatementPsa streamed = analyze(1, std::nullopt);
  EXPECT_DOUBLE_EQ(seconds(streamed, memory), 3 * each);
  EXPECT_EQ(seconds(streamed, allocate), 0);
  EXPECT_LT(streamed.seconds, 0.8 * stored.seconds);
  // Streamed results go to memory, although the caches hold their lines.
  task = elementwise(256, 256);
  const double small = 256.0 * 256 * 4 / 1e10;
  EXPECT_EQ(analyze(0, CacheState()).memorySeconds, 0);
  EXPECT_DOUBLE_EQ(seconds(analyze(1, CacheState()), memory), small);
}

// Memory that is read while something else computes is not free: both together
// take the root of the sum of their squares.
TEST(Psa, CpuFetchesAheadAreHiddenInPart) {
  Schedule schedule = cpuTile(6, 16);
  schedule.stages = {StageLevel::None, StageLevel::Inner};
  TaskDesc task = matmul(480, 2048, 2048);
  Machine slow = cpu();
  slow.memoryBandwidth /= 50;
  auto update = [&](int64_t prefetch) {
    schedule.prefetch = prefetch;
    ProgramSummary summary = program(task, schedule);
    return of(analyzePsa(summary, slow), summary, StatementKind::Update);
  };
  StatementPsa waits = update(0), ahead = update(1);
  ASSERT_GT(waits.memorySeconds, 0.05 * waits.computeSeconds);
  EXPECT_DOUBLE_EQ(waits.seconds, waits.computeSeconds + waits.memorySeconds);
  EXPECT_EQ(ahead.computeSeconds, waits.computeSeconds);
  EXPECT_EQ(ahead.memorySeconds, waits.memorySeconds);
  EXPECT_DOUBLE_EQ(ahead.seconds,
                   std::hypot(waits.computeSeconds, waits.memorySeconds));
}
