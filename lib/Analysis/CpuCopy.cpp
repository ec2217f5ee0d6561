//===- CpuCopy.cpp - cycles of a packed row -------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuRegisterTile.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace pruner;
using namespace pruner::detail;

/// The largest side of the squares that the generated copies transpose, and the
/// largest stride of a row that they fill with vectors.
static constexpr double kMostSquare = 16, kMostStep = 4;

namespace {
/// How a copy fills rows of the buffer. Rows that are filled together have
/// `elements` elements, in `vectors` vectors of `lanes` lanes with `shuffles`
/// shuffles each.
struct RowCopy {
  double elements = 1, vectors = 1, lanes = 1, shuffles = 0;
  /// Consecutive elements are not contiguous in the source.
  bool jumps = false;
};
} // namespace

/// The extent of a loop without the iterations that read padding.
static double extentInside(const ProgramSummary &program,
                           const StatementSummary &statement, unsigned loop) {
  int64_t extent = statement.loops[loop].extent;
  for (const AccessSummary &access :
       llvm::ArrayRef(statement.accesses).drop_back()) {
    llvm::ArrayRef<int64_t> shape = program.buffers[access.buffer].tensorShape;
    llvm::ArrayRef<int64_t> moves =
        llvm::ArrayRef(access.moves).slice(loop * shape.size(), shape.size());
    for (auto [move, size] : llvm::zip_equal(moves, shape))
      if (move == 1)
        extent = std::min(extent, size);
  }
  return double(extent);
}

/// Chooses how rows are copied. If the source is contiguous along the rows,
/// whole vectors are copied. A small stride n takes one shuffle per vector. If
/// the source is contiguous along another dimension, squares of n vectors are
/// transposed with log2(n) shuffles per vector. All others are copied by
/// element.
static RowCopy rowCopy(const ProgramSummary &program,
                       const StatementSummary &statement, double widest) {
  if (statement.rowDim < 0)
    return {};
  unsigned own = statement.loops.size() - statement.ownLoops;
  const AccessSummary &written = statement.written();
  auto isReadAlong = [&](unsigned l) {
    return llvm::all_of(statement.accesses, [&](auto &access) {
      return &access == &written || access.strides[l] == 0 ||
             access.strides[l] == 1;
    });
  };
  auto extent = [&](unsigned l) { return double(statement.loops[l].extent); };
  unsigned along = own + unsigned(statement.rowDim);
  double parts = double(statement.rowStep), elements = extent(along),
         length = std::ceil(elements / parts);
  if (isReadAlong(along) && parts <= kMostStep) {
    double lanes = std::min(widest, length);
    return {elements, parts * std::ceil(length / lanes), lanes,
            parts > 1 ? 1.0 : 0.0};
  }
  unsigned across = along;
  for (unsigned l = own; l < statement.loops.size(); ++l)
    if (l != along && extent(l) > 1 && isReadAlong(l) &&
        (across == along || extent(l) > extent(across)))
      across = l;
  double side = std::min(double(statement.vector), kMostSquare);
  double rows = across == along ? 1 : extentInside(program, statement, across);
  while (side > rows)
    side /= 2;
  if (statement.padded || parts > 1 || side < kLeastSquare || length < 2)
    return {elements, elements, 1, 0, /*jumps=*/true};
  // Whole squares are transposed; the remaining rows are copied one by one.
  double squares = std::floor(rows / side);
  double single = (rows - squares * side) * elements;
  return {rows * elements, squares * side * std::ceil(length / side) + single,
          side, std::log2(side), /*jumps=*/true};
}

/// Cycles per element lost to lines that are not prefetched, because a copy
/// reads short runs. Runs are read side by side, so only the lines of long runs
/// are prefetched in time.
static double missCycles(const ProgramSummary &program,
                         const StatementSummary &statement, const Core &core,
                         double line) {
  double cycles = 0;
  for (const AccessSummary &access :
       llvm::ArrayRef(statement.accesses).drop_back()) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    double run = double(access.contiguous);
    double bytes = run * double(buffer.elementBytes);
    if (buffer.level == MemoryLevel::Global && bytes < kPrefetchedLines * line)
      cycles += std::ceil(bytes / line) * core.lineMissCycles / run;
  }
  return cycles;
}

RegisterTile detail::copyRegisterTile(const ProgramSummary &program,
                                      const StatementSummary &statement,
                                      const Machine &machine, const Core &core,
                                      double elementBytes) {
  RegisterTile tile;
  double widest = double(machine.vectorElements(int64_t(elementBytes)));
  RowCopy row = rowCopy(program, statement, widest);
  tile.points = row.lanes;
  tile.loads = double(statement.accesses.size() - 1);
  tile.stores = 1;
  tile.arithmetic = operationCost(statement.ops, core) + row.shuffles;
  tile.cycles = std::max({tile.arithmetic / core.fmaPerCycle,
                          tile.loads / core.loadsPerCycle,
                          tile.stores / core.storesPerCycle,
                          row.lanes > 1 ? core.copyCycles : 0.0});
  // The last vector of each row may be partial, and its ends may be padding.
  double around = statement.padded ? core.paddedRowCycles : core.rowCycles;
  tile.cycles = (tile.cycles * row.vectors + around) * row.lanes / row.elements;
  if (row.jumps)
    tile.cycles += row.lanes * missCycles(program, statement, core,
                                          double(machine.transactionBytes));
  return tile;
}
