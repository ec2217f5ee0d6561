//===- CountTile.cpp - operations of a register tile ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CpuStatement.h"

#include "../PsaDetail.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace pruner;
using namespace pruner::detail;

/// The product of vectors of integers, in vector additions. Measured on an
/// Emerald Rapids with 64-byte registers; one with an addition takes 2.0, 3.0
/// and 5.5 multiply-adds of f32. There is none for bytes: two of 16 bits, and
/// shuffles.
static double productCost(double bytes) {
  if (bytes < 2)
    return 4;
  return bytes == 2 ? 1 : bytes <= 4 ? 2 : 4.5;
}

double detail::operationCost(const OpCounts &ops, const Core &core,
                             double bytes) {
  // Only floats have an instruction that multiplies and adds.
  double fused = double(std::max(ops.floatMul, ops.floatAddSub)) +
                 double(ops.intMul) * productCost(bytes) +
                 double(ops.intAddSub);
  // The other integer operations are shifts.
  return fused +
         double(ops.floatCmp + ops.intCmp + ops.boolOps + ops.select +
                ops.intOther) +
         double(ops.floatDivMod + ops.intDivMod) * core.divideCost +
         double(ops.floatMath + ops.floatOther + ops.intMath) *
             core.functionCost;
}

/// The neighbors along the sum of a matrix instruction that a lane of an access
/// holds, or 1.
static int64_t groupOf(const StatementSummary &statement,
                       const AccessSummary &access) {
  if (!statement.instruction)
    return 1;
  for (auto [loop, stride] : llvm::zip_equal(statement.loops, access.strides))
    if (loop.level == LoopLevel::Dot && stride == 1)
      return statement.instruction->group;
  return 1;
}

/// Cost of the matrix instruction of a statement, in vector multiply-adds, and
/// the points that it computes in each lane.
static std::pair<double, double>
costAndPoints(const StatementSummary &statement, const Core &core) {
  double rows = 1, points = 1;
  for (const LoopSummary &loop : statement.loops) {
    if (loop.level == LoopLevel::Rows)
      rows = double(loop.extent);
    if (loop.level == LoopLevel::Dot || loop.level == LoopLevel::Rows)
      points *= double(loop.extent);
  }
  switch (statement.instruction->unit) {
  case MatrixInstruction::Unit::IntegerDot:
    return {core.integerDotCost, points};
  case MatrixInstruction::Unit::IntegerPairs:
    return {core.integerPairCost, points};
  case MatrixInstruction::Unit::BrainFloatDot:
    return {core.brainFloatDotCost, points};
  case MatrixInstruction::Unit::Tiles:
  case MatrixInstruction::Unit::Warps: // Rule R27 rejects it on CPUs.
    break;
  }
  return {core.tileCost * std::max(MatrixInstruction::kLeastTileRows, rows) /
              double(statement.instruction->rows),
          points};
}

double detail::accessOperations(const StatementSummary &statement,
                                const AccessSummary &access) {
  double count = 1;
  int64_t group = groupOf(statement, access);
  unsigned own = statement.loops.size() - statement.ownLoops;
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    if ((loop.level == LoopLevel::Unroll || loop.level == LoopLevel::Rows) &&
        access.strides[l] != 0)
      count *= double(loop.extent);
    // A lane of a tile has several groups, each in a row of its own.
    if (loop.level == LoopLevel::Dot && access.strides[l] != 0 &&
        access.strides.back() != 0)
      count *= double(loop.extent) / double(group);
    if (loop.level == LoopLevel::Vector && access.strides[l] != 0 &&
        std::abs(access.strides[l]) != group)
      count *= double(loop.extent);
  }
  return count;
}

/// The loop of the register tile along which results are contiguous, if their
/// lanes are not: such results are transposed. The number of loops if there is
/// no such loop.
static unsigned transposedLoop(const StatementSummary &statement) {
  unsigned own = statement.loops.size() - statement.ownLoops, row = ~0u;
  const AccessSummary &written = statement.written();
  bool across = false;
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    int64_t stride = std::abs(written.strides[l]);
    if (loop.level == LoopLevel::Vector)
      across = double(loop.extent) >= kLeastSquare && stride > 1;
    else if (loop.level == LoopLevel::Unroll && loop.extent > 1 && stride == 1)
      row = l;
  }
  return across && statement.kind != StatementKind::Update
             ? std::min<unsigned>(row, statement.loops.size())
             : statement.loops.size();
}

/// Whether an access is contiguous along `transposed` and not along the lanes.
static bool isTransposed(const StatementSummary &statement,
                         const AccessSummary &access, unsigned transposed) {
  if (transposed == statement.loops.size() ||
      std::abs(access.strides[transposed]) != 1)
    return false;
  for (auto [loop, stride] : llvm::zip_equal(statement.loops, access.strides))
    if (loop.level == LoopLevel::Vector)
      return std::abs(stride) > 1;
  return false;
}

/// Counts an access whose elements are contiguous along the loop `transposed`.
/// Blocks of as many elements as there are lanes are transposed in squares of
/// the next power of two. Each lane then takes one access; without masks, one
/// for each power of two in the number of its elements.
static double countTransposed(const StatementSummary &statement,
                              const AccessSummary &access, unsigned transposed,
                              double elementBytes, bool masks,
                              RegisterTile &tile) {
  constexpr double kMaskedBytes = 64;
  double blocks = 1, lanes = 1, rows = 1;
  for (unsigned l = statement.loops.size() - statement.ownLoops;
       l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    if (l == transposed)
      rows = double(loop.extent);
    else if (loop.level == LoopLevel::Vector)
      lanes = double(loop.extent);
    else if (loop.level == LoopLevel::Unroll && access.strides[l] != 0)
      blocks *= double(loop.extent);
  }
  blocks *= std::ceil(rows / lanes);
  auto square = llvm::PowerOf2Ceil(uint64_t(std::min(rows, lanes)));
  tile.shuffles += blocks * double(square * llvm::Log2_64(square));
  bool whole = masks || lanes * elementBytes >= kMaskedBytes;
  return blocks * lanes *
         (whole ? 1.0 : double(llvm::popcount(uint64_t(rows))));
}

/// The part of the reads of whole vectors that cross the border of a line and
/// take a load port twice. Vectors begin at multiples of the step by which the
/// other loops move the access.
static double splitReads(const StatementSummary &statement,
                         const AccessSummary &access, double elementBytes,
                         int64_t line) {
  int64_t step = line, vector = 0, group = groupOf(statement, access);
  unsigned own = statement.loops.size() - statement.ownLoops;
  for (unsigned l = 0; l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    if (loop.extent == 1 || access.strides[l] == 0)
      continue;
    int64_t stride =
        int64_t(std::abs(double(access.strides[l]))) * int64_t(elementBytes);
    if (l >= own && loop.level == LoopLevel::Dot)
      continue;
    if (l >= own && loop.level == LoopLevel::Vector &&
        access.strides[l] == group)
      vector = loop.extent * stride;
    else
      step = commonDivisor(step, stride);
  }
  if (vector == 0)
    return 0;
  // A vector has line / step places in a line; those beyond line - vector cross
  // its border.
  int64_t inside = std::max<int64_t>(0, line - vector) / step + 1;
  return 1 - std::min(1.0, double(inside) * double(step) / double(line));
}

/// Operations that extend the elements of a read access of an update to the
/// type of the accumulator, in vector operations. A conversion to f32 takes
/// two: VCVTPH2PS on two ports for f16 (uops.info, Sapphire Rapids), a shuffle
/// and a shift for bf16.
static double extensions(const CpuStatement &s, const AccessSummary &access,
                         double count) {
  constexpr double kOperations = 2;
  bool extends = s.accumulates() && !s.statement.instruction &&
                 s.elementBytes(access) < s.elementBytes(s.statement.written());
  return extends ? kOperations * count : 0;
}

RegisterTile detail::countTile(const CpuStatement &s) {
  const StatementSummary &statement = s.statement;
  RegisterTile tile;
  for (unsigned l = s.firstOwnLoop(); l < statement.loops.size(); ++l) {
    const LoopSummary &loop = statement.loops[l];
    if (loop.level == LoopLevel::Serial) {
      tile.steps *= double(loop.extent);
      tile.innermost = loop.extent;
      continue;
    }
    tile.points *= double(loop.extent);
    if (loop.level != LoopLevel::Vector)
      continue;
    tile.lanes *= double(loop.extent);
    bool reduces = loop.extent > 1 && statement.written().strides[l] == 0;
    tile.reducedLanes = reduces ? tile.lanes : 1;
  }
  tile.vectors = tile.points / tile.lanes;
  tile.arithmetic =
      tile.vectors *
      operationCost(statement.ops, s.core, s.elementBytes(statement.written()));
  if (statement.instruction) {
    auto [cost, points] = costAndPoints(statement, s.core);
    tile.arithmetic = tile.vectors / points * cost;
  }
  unsigned transposed = transposedLoop(statement);
  for (const AccessSummary &access : statement.accesses) {
    double size = s.elementBytes(access);
    double count = isTransposed(statement, access, transposed)
                       ? countTransposed(statement, access, transposed, size,
                                         access.kind == AccessKind::Read, tile)
                       : accessOperations(statement, access);
    if (access.kind == AccessKind::Read) {
      tile.arithmetic += extensions(s, access, count);
      tile.loads +=
          count * (1 + splitReads(statement, access, size, int64_t(s.line)));
    } else if (access.kind == AccessKind::Write) {
      tile.stores += s.clearsTiles() ? 0 : count;
    } else {
      // Accumulators stay in registers during the statement's own reduction.
      tile.loads += count / tile.steps;
      tile.stores += count / tile.steps;
    }
  }
  return tile;
}
