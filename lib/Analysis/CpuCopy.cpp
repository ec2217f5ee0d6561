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

/// The largest side of the squares that the copying code transposes, and the
/// largest step of a row that it fills by vectors.
static constexpr double kMostSquare = 16, kMostStep = 4;

namespace {
/// How a copy goes along rows of the buffer: those that are filled together
/// have `elements`, in `vectors` of `lanes` with `shuffles` each.
struct RowCopy {
  double elements = 1, vectors = 1, lanes = 1, shuffles = 0;
  /// From one element to the next it jumps in what is read.
  bool jumps = false;
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

/// Copies run in vectors along the buffer's rows where that is contiguous in
/// what they read; where rows have every n-th element for a small n, each takes
/// a shuffle.
/// Where another dimension is contiguous, squares of n vectors are transposed,
/// which takes each of them log2(n) shuffles. Else they go element by element.
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
  // As many rows as there are in whole squares; the others one by one.
  double squares = std::floor(rows / side);
  double single = (rows - squares * side) * elements;
  return {rows * elements, squares * side * std::ceil(length / side) + single,
          side, std::log2(side), /*jumps=*/true};
}

/// Cycles for each element of a copy that jumps from run to run, in lines that
/// no prefetcher foresees: runs are read side by side, so only what is long
/// enough for the next of its lines to be foreseen comes in time.
static double missCycles(const ProgramSummary &program,
                         const StatementSummary &statement, const Core &core,
                         double line) {
  double cycles = 0;
  for (const AccessSummary &access :
       llvm::ArrayRef(statement.accesses).drop_back()) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    double run = double(access.contiguous);
    double bytes = run * double(buffer.elementBytes);
    if (buffer.level == MemoryLevel::Global && bytes < kForeseenLines * line)
      cycles += std::ceil(bytes / line) * core.lineMissCycles / run;
  }
  return cycles;
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
  double around = statement.padded ? core.paddedRowCycles : core.rowCycles;
  body.cycles = (body.cycles * row.vectors + around) * row.lanes / row.elements;
  if (row.jumps)
    body.cycles += row.lanes * missCycles(program, statement, core,
                                          double(machine.transactionBytes));
  return body;
}
