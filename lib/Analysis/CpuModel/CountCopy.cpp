//===- CountCopy.cpp - operations of a copy -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CpuStatement.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace pruner;
using namespace pruner::detail;

/// The largest side of the squares that generated copies transpose, and the
/// largest step of a row that they fill with vectors. Squares of elements of at
/// most 2 bytes are as large as vectors of 16 bytes, and up to 4 of them share
/// a vector.
static constexpr double kMostSquare = 16, kMostStep = 4, kNarrowBytes = 2,
                        kSquareBytes = 16, kMostShared = 4;

namespace {
/// How a copy fills rows of its buffer. Rows that are filled together have
/// `elements`, in `vectors` of `lanes` with `shuffles` each.
struct RowCopy {
  double elements = 1, vectors = 1, lanes = 1, shuffles = 0;
  /// The elements of a row are not contiguous in what is read.
  bool strided = false;
};
} // namespace

/// The extent of a loop, limited to the bounds of the tensors that are read.
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

/// A copy moves vectors along the rows of the buffer if these are contiguous in
/// what it reads; if a row has every n-th element for a small n, each vector
/// takes a shuffle. If another dimension is contiguous, squares of n vectors
/// are transposed, with log2(n) shuffles for each vector, and rows of 2 or 4
/// elements interleaved. Otherwise it moves single elements.
static RowCopy rowCopy(const ProgramSummary &program,
                       const StatementSummary &statement, double widest,
                       double bytes) {
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
  bool isShort = length == 2 || length == 4;
  bool shares = bytes <= kNarrowBytes && !isShort;
  double side = std::min(double(statement.vector), kMostSquare);
  if (shares)
    side = std::min(side, kSquareBytes / bytes);
  double rows = across == along ? 1 : extentInside(program, statement, across);
  while (side > rows)
    side /= 2;
  if (parts > 1 || side < kLeastSquare || length < 2)
    return {elements, elements, 1, 0, /*strided=*/true};
  // The last squares overlap others.
  double squares = std::ceil(rows / side);
  if (isShort)
    return {rows * elements, squares * length, side, 1, /*strided=*/true};
  double shared =
      shares ? std::min(kMostShared, std::max(1.0, std::floor(length / side)))
             : 1;
  // Joining the squares takes a shuffle for each vector that is loaded.
  double shuffles = std::log2(side) / shared + (shared > 1 ? 1 : 0);
  return {rows * elements, squares * side * std::ceil(length / side), side,
          shuffles, /*strided=*/true};
}

RegisterTile detail::countCopy(const CpuStatement &s) {
  const StatementSummary &statement = s.statement;
  auto size = int64_t(s.elementBytes(statement.written()));
  RowCopy row = rowCopy(s.program, statement,
                        double(s.machine.vectorElements(size)), double(size));
  RegisterTile tile;
  tile.copies = true;
  tile.points = tile.lanes = row.lanes;
  tile.loads = double(statement.accesses.size() - 1);
  tile.stores = 1;
  tile.arithmetic =
      operationCost(statement.ops, s.core, double(size)) + row.shuffles;
  tile.rowVectors = row.vectors;
  tile.rowElements = row.elements;
  tile.strided = row.strided;
  return tile;
}
