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

/// The bytes of a vector that one instruction interleaves.
static constexpr int64_t kInterleavedBytes = 16;

static int64_t bytesOf(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

/// Whether the rows inside physical dimension `p` are a few neighbors (of a
/// matrix instruction) without a gap between one row and the next.
bool StageLowering::hasShortRows(unsigned p) {
  int64_t row = extents[p + 1];
  return (row == 2 || row == 4) && row == target.shape[p + 1];
}

/// The number of rows that are filled together along physical dimension `p`, or
/// 0 if rows are filled one at a time. Several rows are filled if some input is
/// not contiguous along rows, but all inputs have a small stride along the
/// coordinate of `p` or do not depend on it.
int64_t StageLowering::squareSize(unsigned p, FormsRef local) {
  if (p + 2 != extents.size() || !hasPlainVectors(target.element()))
    return 0;
  LayoutTerm outer = term(p);
  // 16 vectors of 16 lanes fit the registers of every CPU with such vectors.
  int64_t size = std::min<int64_t>(op.getVector(), 16);
  int64_t bytes = bytesOf(target.element());
  if (isNarrow(target.element()) && !hasShortRows(p))
    size = std::min<int64_t>(size, kInterleavedBytes / bytes);
  int64_t inside = std::min<int64_t>(
      extents[p], llvm::divideCeil(op.getShape()[outer.coord], outer.div));
  while (size > inside)
    size /= 2;
  if (size < 4 || outer.div > kMaxGatherStride || outer.coord == *rowCoord ||
      extents[p + 1] < 2)
    return 0;
  bool rowsAreContiguous = true;
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    auto along = laneStride(n, outer.coord, outer.div, local, size);
    if (!along || *along < 0 || *along > kMaxGatherStride ||
        !hasPlainVectors(parent.flat(op.getInputs()[n]).element()))
      return 0;
    auto across = laneStride(n, rowCoord, rowStep, local, size);
    if (!across || (*across != 0 && *across != 1))
      rowsAreContiguous = false;
  }
  return rowsAreContiguous ? 0 : size;
}

/// Fills the rows at the positions `begin` to below `end` of physical dimension
/// `p`, `size` at a time. The last ones overlap others if the number of rows is
/// not a multiple of `size`. Fewer rows are filled one at a time.
void StageLowering::lowerSquares(unsigned p, FormsRef local, Value begin,
                                 Value end, int64_t size) {
  LayoutTerm t = term(p);
  auto squares = [&](Value from, Value to) {
    lowerLoop(p, Forms(local), from, to, size,
              [&](Forms here) { lowerSquareRows(p, here, size); });
  };
  bool known = !isCut(t.coord) && !op.getPadding();
  if (known && extents[p] % size == 0)
    return squares(begin, end);
  Value count = indices.sub(end, begin), step = indices.constant(size);
  auto all = [&] {
    Value rest = indices.remU(count, step);
    squares(begin, indices.sub(end, rest));
    auto last = [&] {
      Forms here(local);
      here[t.coord] =
          here[t.coord] +
          IndexForm(IndexTerm{indices.sub(end, step), t.div, extents[p], {}});
      lowerSquareRows(p, here, size);
    };
    if (known)
      return last();
    Value isRest =
        indices.compare(arith::CmpIPredicate::ne, rest, indices.constant(0));
    auto ifRest = scf::IfOp::create(builder, loc, isRest, /*withElse=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ifRest.thenBlock());
    last();
  };
  if (known)
    return all();
  Value enough = indices.compare(arith::CmpIPredicate::sge, count, step);
  auto ifOp = scf::IfOp::create(builder, loc, enough, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  all();
  builder.setInsertionPointToStart(ifOp.elseBlock());
  lowerLoop(p, Forms(local), begin, end, 1,
            [&](Forms here) { lowerElements(p + 1, here); });
}

/// Fills one row of the buffer, element by element.
void StageLowering::lowerElements(unsigned p, FormsRef local) {
  ifRowWhole(p, local, [&](bool cut) {
    auto forOp =
        scf::ForOp::create(builder, loc, indices.constant(0),
                           indices.constant(extents[p]), indices.constant(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    move(IndexForm(IndexTerm{forOp.getInductionVar(), 1, extents[p], {}}),
         local, 1, cut);
  });
}

/// Fills `size` rows of the buffer, beginning at `local`.
void StageLowering::lowerSquareRows(unsigned p, FormsRef local, int64_t size) {
  LayoutTerm t = term(p);
  int64_t length = extents[p + 1];
  // Squares next to each other along the rows share vectors.
  int64_t most =
      isNarrow(target.element())
          ? std::max<int64_t>(4 * op.getVector() / kInterleavedBytes, 1)
          : 1;
  ifRowWhole(p + 1, local, [&](bool cut) {
    if (hasShortRows(p))
      return interleaveRows(t, local, length, size, cut);
    int64_t done =
        loopOverMany(length, most * size, [&](const IndexForm &here) {
          transposeSquares(t, here, local, most * size, size, most, cut);
        });
    while (done < length) {
      int64_t count = most;
      while (count > 1 && count * size > length - done)
        count /= 2;
      int64_t rows = std::min(count * size, length - done);
      transposeSquares(t, IndexForm(done), local, rows, size, count, cut);
      done += rows;
    }
  });
}

/// The elements of the row position `along` + `row` in `size` rows, which
/// follow one another along `t`.
Value StageLowering::readColumn(const LayoutTerm &t, const IndexForm &along,
                                FormsRef local, int64_t row, int64_t size,
                                bool cut) {
  SmallVector<Value> arguments;
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    const FlatBuffer &source = parent.flat(op.getInputs()[n]);
    SmallVector<int64_t> step = moves(n, t.coord, t.div);
    Forms coords = applyMap(inputMap(n), coordinates(along, local, row, cut));
    LaneAddress from = getAddress(indices, source, coords, step, size);
    Value at = indices.value(from.address);
    if (llvm::all_of(step, [](int64_t s) { return s == 0; }))
      arguments.push_back(
          memref::LoadOp::create(builder, loc, source.memref, ValueRange{at}));
    else if (*from.laneStride > 1)
      arguments.push_back(readStrided(source, at, size, *from.laneStride, {}));
    else
      arguments.push_back(loadVector(source, at, 0, size));
  }
  Value value = inlineBody(builder, op.getBody().front(), arguments,
                           /*contract=*/false);
  return broadcastTo(builder, loc, value, size);
}

/// Concatenates vectors, a power of two.
static Value join(OpBuilder &builder, Location loc, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  size_t half = parts.size() / 2;
  Value low = join(builder, loc, parts.take_front(half)),
        high = join(builder, loc, parts.drop_front(half));
  int64_t lanes = cast<VectorType>(low.getType()).getDimSize(0);
  return vector::ShuffleOp::create(
      builder, loc, low, high,
      llvm::to_vector(llvm::seq<int64_t>(0, 2 * lanes)));
}

/// Fills positions `along` to `along` + `rows` of `size` rows. Reads a vector
/// for each of these positions, and writes the columns of `count` squares.
void StageLowering::transposeSquares(const LayoutTerm &t,
                                     const IndexForm &along, FormsRef local,
                                     int64_t rows, int64_t size, int64_t count,
                                     bool cut) {
  SmallVector<Value> squares;
  for (int64_t row = 0; row < std::min(rows, size); ++row) {
    SmallVector<Value> parts;
    for (int64_t square = 0; square < count; ++square)
      parts.push_back(
          readColumn(t, along, local, square * size + row, size, cut));
    squares.push_back(join(builder, loc, parts));
  }
  // Lanes beyond the last row are not stored, so their contents do not matter.
  squares.resize(size, squares.back());
  transposeLanes(builder, loc, squares);
  for (int64_t n = 0; n < size; ++n) {
    Forms here(local);
    here[t.coord] = here[t.coord] + n * t.div;
    storePieces(builder, loc, squares[n], rows, [&](Value piece, int64_t at) {
      store(piece, along + at, here);
    });
  }
}

/// Fills `size` rows of `length` elements each, which are contiguous together:
/// one vector for each position in a row, interleaved.
void StageLowering::interleaveRows(const LayoutTerm &t, FormsRef local,
                                   int64_t length, int64_t size, bool cut) {
  SmallVector<Value> columns;
  for (int64_t row = 0; row < length; ++row)
    columns.push_back(readColumn(t, {}, local, row, size, cut));
  while (columns.size() > 1) {
    size_t half = columns.size() / 2;
    for (size_t n = 0; n < half; ++n) {
      int64_t lanes = cast<VectorType>(columns[n].getType()).getDimSize(0);
      SmallVector<int64_t> mask;
      for (int64_t lane = 0; lane < lanes; ++lane)
        mask.append({lane, lanes + lane});
      columns[n] = vector::ShuffleOp::create(builder, loc, columns[n],
                                             columns[n + half], mask);
    }
    columns.resize(half);
  }
  store(columns.front(), {}, local);
}
