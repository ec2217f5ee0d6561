//===- TransposeStage.cpp - packing with a transpose ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StageLowering.h"
#include "TransposeLanes.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace pruner;

/// The size of the squares in which physical dimension `p` and the rows inside
/// it are filled, or 0 if rows are filled one at a time. Squares are used if
/// some input is not contiguous along rows, but all inputs are contiguous along
/// the coordinate of `p` or do not depend on it.
int64_t StageLowering::squareSize(unsigned p, FormsRef local) {
  if (p + 2 != extents.size())
    return 0;
  LayoutTerm outer = term(p);
  // 16 vectors of 16 lanes fit the registers of every CPU with such vectors.
  int64_t size = std::min<int64_t>(op.getVector(), 16);
  int64_t inside = std::min(extents[p], op.getShape()[outer.coord]);
  while (size > inside)
    size /= 2;
  if (size < 4 || outer.div != 1 || outer.coord == *rowCoord ||
      extents[p + 1] < 2 || !hasPlainVectors(target.element()))
    return 0;
  bool rowsAreContiguous = true;
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    auto along = laneStride(n, outer.coord, local, size);
    if (!along || (*along != 0 && *along != 1) ||
        !hasPlainVectors(parent.flat(op.getInputs()[n]).element()))
      return 0;
    auto across = laneStride(n, rowCoord, local, size);
    if (!across || (*across != 0 && *across != 1))
      rowsAreContiguous = false;
  }
  return rowsAreContiguous ? 0 : size;
}

/// Fills `size` rows of the buffer, beginning at `local`.
void StageLowering::lowerSquares(unsigned p, FormsRef local, int64_t size) {
  unsigned coord = term(p).coord;
  int64_t length = extents[p + 1];
  ifRowWhole(p + 1, local, [&](bool cut) {
    int64_t done = loopOverMany(length, size, [&](const IndexForm &here) {
      transposeSquare(coord, here, local, size, size, cut);
    });
    for (; done < length; done += size)
      transposeSquare(coord, IndexForm(done), local,
                      std::min(size, length - done), size, cut);
  });
}

/// Reads `rows` vectors of `size` elements along `coord`, one for each position
/// in the rows of the buffer from `along` on, and writes them as columns.
void StageLowering::transposeSquare(unsigned coord, const IndexForm &along,
                                    FormsRef local, int64_t rows, int64_t size,
                                    bool cut) {
  SmallVector<Value> square;
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<Value> arguments;
    for (unsigned n = 0; n < op.getInputs().size(); ++n) {
      const FlatBuffer &source = parent.flat(op.getInputs()[n]);
      SmallVector<int64_t> step = moves(n, coord);
      Forms coords = applyMap(inputMap(n), coordinates(along, local, row, cut));
      Value at = indices.value(
          getAddress(indices, source, coords, step, size).address);
      if (llvm::all_of(step, [](int64_t s) { return s == 0; }))
        arguments.push_back(memref::LoadOp::create(builder, loc, source.memref,
                                                   ValueRange{at}));
      else
        arguments.push_back(vector::LoadOp::create(
            builder, loc, VectorType::get({size}, source.element()),
            source.memref, ValueRange{at}));
    }
    Value value = inlineBody(builder, op.getBody().front(), arguments,
                             /*contract=*/false);
    square.push_back(broadcastTo(builder, loc, value, size));
  }
  // Lanes behind the last row are not stored, so their contents do not matter.
  square.resize(size, square.back());
  transposeLanes(builder, loc, square);
  for (int64_t n = 0; n < size; ++n) {
    Forms here(local);
    here[coord] = here[coord] + n;
    storePieces(builder, loc, square[n], rows, [&](Value piece, int64_t at) {
      store(piece, along + at, here);
    });
  }
}
