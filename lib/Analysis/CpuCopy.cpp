//===- CpuCopy.cpp - cycles of a packed row -------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuBody.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace pruner;
using namespace pruner::detail;

/// The largest side of the squares that the copying code transposes.
static constexpr double kMostSquare = 16;

namespace {
/// How a copy goes along rows of the buffer.
struct RowCopy {
  double lanes = 1, length = 1, shuffles = 0;
};
} // namespace

/// The extent of a loop as far as it stays inside of what is read.
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

/// Copies run in vectors along a dimension that they read contiguously. Where
/// the buffer is contiguous along another one, squares of n vectors are
/// transposed, which takes each of them log2(n) shuffles; where it has every
/// n-th element in a row of its own, one. Else they go element by element.
static RowCopy rowCopy(const ProgramSummary &program,
                       const StatementSummary &statement, double widest) {
  const AccessSummary &written = statement.written();
  unsigned own = statement.loops.size() - statement.ownLoops;
  RowCopy best, other;
  bool anyRow = false;
  unsigned across = own;
  double side = std::min(double(statement.vector), kMostSquare);
  for (unsigned l = own; l < statement.loops.size(); ++l) {
    double extent = double(statement.loops[l].extent);
    bool isRow = written.strides[l] == 1 && extent > 1;
    bool readAlong = llvm::all_of(statement.accesses, [&](auto &access) {
      return &access == &written || access.strides[l] == 0 ||
             access.strides[l] == 1;
    });
    double lanes = std::min(widest, extent);
    anyRow |= isRow;
    if (isRow && extent > best.length)
      best = {readAlong ? lanes : 1, extent, 0};
    else if (!isRow && readAlong && extent > other.length) {
      other = {lanes, extent, 1};
      across = l;
    }
  }
  if (best.lanes > 1 || other.lanes < kLeastSquare)
    return best;
  if (!anyRow)
    return other;
  if (statement.padded || side < kLeastSquare ||
      extentInside(program, statement, across) < side)
    return best;
  return {side, best.length, std::log2(side)};
}

Body detail::copyBody(const ProgramSummary &program,
                     const StatementSummary &statement, const Machine &machine,
                     const Core &core, double elementBytes) {
  Body body;
  double widest = double(machine.vectorElements(int64_t(elementBytes)));
  RowCopy row = rowCopy(program, statement, widest);
  body.points = row.lanes;
  body.loads = double(statement.accesses.size() - 1);
  body.stores = 1;
  body.arithmetic = operationCost(statement.ops, core) + row.shuffles;
  body.cycles = std::max({body.arithmetic / core.fmaPerCycle,
                          body.loads / core.loadsPerCycle,
                          body.stores / core.storesPerCycle,
                          row.lanes > 1 ? core.copyCycles : 0.0});
  // Of each row the last vector may be cut, and its ends may be filled.
  body.cycles *= std::ceil(row.length / row.lanes) / (row.length / row.lanes);
  double around = statement.padded ? core.paddedRowCycles : core.rowCycles;
  body.cycles += around * row.lanes / row.length;
  return body;
}
