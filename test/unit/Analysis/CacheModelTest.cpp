//===- CacheModelTest.cpp - traffic of one statement's accesses ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaFixtures.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;
using namespace pruner::test;

TEST(Psa, CacheTraffic) {
  // In the order m, n, k with nothing tiled, 128^3 floats.
  TaskDesc task = matmul(128, 128, 128);
  Schedule s;
  s.tiles = {{1, 1, 1}, {1, 1, 1}, {128}};
  s.stages = {StageLevel::None, StageLevel::None};
  ProgramSummary summary = program(task, s);
  const StatementSummary &update = summary.statements[1];
  ASSERT_EQ(update.kind, StatementKind::Update);
  // Everything fits: A and B once. (C's accumulator is the core's own.)
  CacheModel cache(summary, update, 64, 4096);
  EXPECT_EQ(cache.traffic(1 << 20), 2 * 128 * 128 * 4);
  // One row of A and all of B do not fit, a row and a column do. A's row stays
  // for all n. B is reloaded once for each m, because neighboring columns share
  // lines.
  EXPECT_EQ(cache.traffic(32 << 10), 128 * 128 * 4 + 128.0 * 128 * 128 * 4);
}

// B is read in place in tiles of 128 rows of 256 bytes: 32 KiB.
static ProgramSummary readsTiles(int64_t columns,
                                 StageLevel stageB = StageLevel::None) {
  Schedule s;
  s.tiles = {{4, 32, 2}, {columns / 128, 2, 64}, {128}};
  s.stages = {StageLevel::Outer, stageB};
  s.order = {1, 0};
  s.vector = 16;
  return program(matmul(256, columns, 128), s);
}

static double conflictTraffic(int64_t columns, int64_t capacity,
                              StageLevel stageB = StageLevel::None) {
  ProgramSummary summary = readsTiles(columns, stageB);
  const StatementSummary &update =
      *llvm::find_if(summary.statements, [](const StatementSummary &statement) {
        return statement.kind == StatementKind::Update;
      });
  return CacheModel(summary, update, 64, 4096).conflictTraffic(capacity);
}

TEST(Psa, ConflictTraffic) {
  constexpr int64_t kL1 = 48 << 10;
  // Rows that are 2 KiB apart share 8 of 64 sets: each of 128 pairs of rows of
  // A reads the tile again, except for the first one of each tile.
  double tile = 128 * 256, uses = 128 * 8;
  EXPECT_EQ(conflictTraffic(512, kL1), (uses - 4 * 8) * tile);
  // Rows that are 2,304 bytes apart use all sets.
  EXPECT_EQ(conflictTraffic(576, kL1), 0);
  // A packed operand has no gaps between its rows.
  EXPECT_EQ(conflictTraffic(512, kL1, StageLevel::Outer), 0);
  // A cache that holds them all has no conflicts.
  EXPECT_EQ(conflictTraffic(512, 1 << 20), 0);
}

// Each cache takes the lines that it loses from the next one.
TEST(Psa, ConflictsAddToTheTrafficOfEachCache) {
  auto seconds = [](int64_t columns, const char *name, Machine machine) {
    machine.core.l2BytesPerCycle = 32;
    machine.core.l3Bandwidth = 32 * 3e9;
    PsaOptions options;
    options.threads = 1;
    ProgramSummary summary = readsTiles(columns);
    PsaReport report = analyzePsa(summary, machine, options);
    return of(report, summary, StatementKind::Update)
        .termSeconds[llvm::find(cpuTerms(), findTerm(cpuTerms(), name)) -
                     cpuTerms().begin()];
  };
  // Three quarters of a cache are usable.
  constexpr int64_t kSmall = 64 << 10, kLarge = 4 << 20;
  Machine smallL1 = cpu(), smallL2 = cpu();
  smallL1.l1Bytes = smallL2.l2Bytes = kSmall;
  smallL1.l2Bytes = kLarge;
  smallL2.l1Bytes = kLarge;
  const double again = (128 * 8 - 4 * 8) * 128 * 256 / (32 * 3e9);
  EXPECT_DOUBLE_EQ(seconds(512, "reuse-conflicts", smallL1), again);
  EXPECT_LT(seconds(512, "l3", smallL1), again);
  EXPECT_EQ(seconds(512, "reuse-conflicts", smallL2), 0);
  EXPECT_GT(seconds(512, "l3", smallL2), again);
  EXPECT_LT(seconds(576, "l3", smallL2), again);
}

// Each row of B is a page. For each pair of rows of A, a tile of 16 columns of
// B reads 64 bytes of every page.
TEST(Psa, PageWalks) {
  auto seconds = [](int64_t terms, StageLevel stageB) {
    Schedule s;
    s.tiles = {{1, 12, 2}, {64, 1, 16}, {terms}};
    s.stages = {StageLevel::None, stageB};
    s.vector = 16;
    Machine machine = cpu();
    machine.core.translatedPages = 2048;
    machine.core.pageWalkCycles = 10;
    PsaOptions options;
    options.threads = 1;
    ProgramSummary summary = program(matmul(24, 1024, terms), s);
    PsaReport report = analyzePsa(summary, machine, options);
    return of(report, summary, StatementKind::Update)
        .termSeconds[llvm::find(cpuTerms(),
                                findTerm(cpuTerms(), "page-walks")) -
                     cpuTerms().begin()];
  };
  const double walks = 8192.0 * 12 * 64 * 10 / (cpu().clockMHz * 1e6);
  double inPlace = seconds(8192, StageLevel::None);
  EXPECT_GT(inPlace, walks);
  EXPECT_LT(inPlace, 1.2 * walks);
  // A packed panel has 128 pages, which 12 pairs of rows share.
  EXPECT_LT(seconds(8192, StageLevel::Outer), 0.02 * walks);
  // The TLBs hold all pages.
  EXPECT_EQ(seconds(512, StageLevel::None), 0);
}
