//===- PsaCpuCopiesTest.cpp - copies across rows on CPUs ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaFixtures.h"

using namespace pruner;
using namespace pruner::test;

/// A product whose second operand, transposed, is packed `slice` elements of
/// the reduction at a time: contiguous across the rows of its buffer.
static ProgramSummary packsAcross(int64_t slice) {
  Schedule s = cpuTile(6, 16);
  s.tiles[2] = {slice};
  s.stages = {StageLevel::None, StageLevel::Inner};
  return program(matmul(480, 512, 512, false, /*transposeB=*/true), s);
}

// The source is contiguous across the rows of its buffer, which have more lines
// than L1. Each line is fetched once, because the copy goes row by row.
TEST(Psa, CpuCopiesGoThroughTheirBuffer) {
  ProgramSummary summary = packsAcross(512);
  const StatementSummary &copy = summary.statements.front();
  ASSERT_EQ(copy.kind, StatementKind::Stage);
  double copied = double(copy.totalTrips()) * 4;
  EXPECT_EQ(CacheModel(summary, copy, 64, 4096).traffic(24 << 10), 3 * copied);
}

// Squares are as small as the run across the rows, but at least four.
TEST(Psa, CpuCopiesOfShortRunsMakeSmallSquares) {
  auto copying = [&](int64_t slice) {
    ProgramSummary summary = packsAcross(slice);
    Machine machine = cpu();
    machine.l1Bytes = machine.l2Bytes = 1 << 30;
    return of(analyzePsa(summary, machine), summary, StatementKind::Stage)
        .computeSeconds;
  };
  EXPECT_LT(copying(4), copying(2));
  EXPECT_LT(copying(8), copying(4));
  // The second square of six positions overlaps the first one.
  EXPECT_GT(copying(6), copying(8));
}

// Lines of short runs in a strided copy are not prefetched.
TEST(Psa, CpuCopiesOfShortRunsMissLines) {
  auto copying = [&](int64_t slice, double missed) {
    ProgramSummary summary = packsAcross(slice);
    Machine machine = cpu();
    machine.core.lineMissCycles = missed;
    return of(analyzePsa(summary, machine), summary, StatementKind::Stage)
        .computeSeconds;
  };
  EXPECT_GT(copying(8, 5), copying(8, 0));
  EXPECT_EQ(copying(64, 5), copying(64, 0));
}
