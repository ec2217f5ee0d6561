//===- TransposeTile.cpp - stores of transposed results -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the lanes of a tile are channels and rows of the result are pixels, every
// lane would need its own store. Instead, the vectors of adjacent places in a
// row, at most as many as there are lanes, are transposed in registers, and
// each store writes adjacent pixels of one lane. Inputs with the layout of the
// result are loaded in the same way.

#include "ComputeLowering.h"
#include "TransposeLanes.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pruner;

/// The distance of elements of operand `n` between consecutive places of
/// `count` along `dim`, if it is regular.
std::optional<int64_t> ComputeLowering::strideAlong(unsigned n, unsigned dim,
                                                    ArrayRef<int64_t> offset,
                                                    int64_t count) {
  SmallVector<int64_t> moves(kernel.getNumDims(), 0);
  moves[dim] = 1;
  SmallVector<IndexForm> coords = applyMap(
      maps[n], place(offset, {}, 0, /*clamp=*/false, /*unclamped=*/kNoDim));
  return getAddress(indices, parent.flat(operand(n)), coords,
                    applyMoves(maps[n], moves), count)
      .laneStride;
}

/// The dimension along which results are contiguous, if the lanes are not and
/// the tile has several places along it.
int ComputeLowering::findRowDim() {
  unsigned output = op.getInputs().size();
  if (op.getRole() == Role::Update || lanes < 4 ||
      !llvm::isPowerOf2_64(lanes) ||
      !hasPlainVectors(parent.flat(op.getOutput()).element()) ||
      strideAlong(output, laneDim, offsets.front(), lanes) == 1)
    return kNoDim;
  for (unsigned l = 0; l < op.getNumLoops(); ++l) {
    int64_t dim = op.getLoopDims()[l], extent = op.getLoopExtents()[l];
    if (op.getLoopLevel(l) != LoopKind::Serial && dim != laneDim &&
        op.getLoopSteps()[l] == 1 && extent > 1 && box[dim] == extent &&
        strideAlong(output, dim, offsets.front(), extent) == 1)
      return int(dim);
  }
  return kNoDim;
}

/// Vectors of 64 bytes come with mask registers.
bool ComputeLowering::masksAreCheap() {
  Type element = parent.flat(op.getOutput()).element();
  return lanes * element.getIntOrFloatBitWidth() == 512;
}

void ComputeLowering::emitTransposed() {
  int64_t length = box[rowDim];
  Cache cache;
  for (const auto &offset : offsets) {
    if (offset[rowDim] % lanes != 0)
      continue;
    int64_t count = std::min(lanes, length - offset[rowDim]);
    for (unsigned n = 0; n < op.getInputs().size(); ++n)
      loadRows(n, offset, count, cache);
    SmallVector<Value> rows;
    SmallVector<int64_t> at(offset);
    for (int64_t row = 0; row < count; ++row, ++at[rowDim])
      rows.push_back(vectorOf(point(at, {}, {}, cache)));
    storeRows(offset, std::move(rows));
  }
}

/// The mask of the first `count` of `size` places along the row that are inside
/// the domain; null for all of them.
Value ComputeLowering::rowMask(int64_t first, int64_t count, int64_t size) {
  Value wanted = indices.constant(count);
  if (guarded && llvm::is_contained(cutDims, rowDim)) {
    Value begin = indices.value(base[rowDim] + first);
    Value inside =
        indices.sub(indices.constant(kernel.getExtents()[rowDim]), begin);
    return indices.mask(count < size ? indices.min(inside, wanted) : inside,
                        size);
  }
  return count < size ? indices.mask(wanted, size) : Value();
}

/// Loads operand `n` at `count` places from `offset` on into `cache`, if it is
/// contiguous along the places and not along the lanes.
void ComputeLowering::loadRows(unsigned n, SmallVector<int64_t> offset,
                               int64_t count, Cache &cache) {
  const FlatBuffer &buffer = parent.flat(operand(n));
  Type element = buffer.element();
  std::optional<int64_t> stride = strideAlong(n, laneDim, offset, lanes);
  if (stride == 0 || stride == 1 || !hasPlainVectors(element) ||
      !isa<BlockArgument>(operand(n)) ||
      strideAlong(n, rowDim, offset, count) != 1 ||
      cache.count(loadKey(n, offset)))
    return;
  int64_t size = llvm::PowerOf2Ceil(count);
  Value mask = rowMask(offset[rowDim], count, size);
  auto type = VectorType::get({size}, element);
  auto whole = VectorType::get({lanes}, element);
  SmallVector<Value> squares(size);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value at = address(n, place(offset, {}, lane, /*clamp=*/true, rowDim));
    Value row;
    if (mask)
      row = vector::MaskedLoadOp::create(
          builder, loc, type, buffer.memref, ValueRange{at}, mask,
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
    else
      row = vector::LoadOp::create(builder, loc, type, buffer.memref,
                                   ValueRange{at});
    Value &square = squares[lane % size];
    if (size == lanes) {
      square = row;
      continue;
    }
    if (!square)
      square =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(whole));
    square = vector::InsertStridedSliceOp::create(
        builder, loc, row, square, ArrayRef<int64_t>{lane / size * size},
        ArrayRef<int64_t>{1});
  }
  transposeLanes(builder, loc, squares);
  for (int64_t row = 0; row < count; ++row, ++offset[rowDim])
    cache[loadKey(n, offset)] = squares[row];
}

/// Stores vectors of lanes, one for each place along the row from `offset` on.
void ComputeLowering::storeRows(ArrayRef<int64_t> offset,
                                SmallVector<Value> rows) {
  unsigned n = op.getInputs().size();
  const FlatBuffer &buffer = parent.flat(op.getOutput());
  OpBuilder::InsertionGuard guard(builder);
  if (Value inside = isInside(offset, rowDim)) {
    auto ifOp = scf::IfOp::create(builder, loc, inside, /*withElse=*/false);
    builder.setInsertionPointToStart(ifOp.thenBlock());
  }
  int64_t count = rows.size(), size = llvm::PowerOf2Ceil(count);
  bool cut = guarded && llvm::is_contained(cutDims, rowDim);
  Value mask =
      cut || masksAreCheap() ? rowMask(offset[rowDim], count, size) : Value();
  // Lanes beyond the last place are not stored, so their contents do not
  // matter.
  rows.resize(size, rows.back());
  transposeLanes(builder, loc, rows);
  for (int64_t lane = 0; lane < lanes; ++lane)
    ifLane(offset, lane, [&] {
      Value at = address(n, place(offset, {}, lane, /*clamp=*/false, kNoDim));
      Value row = rows[lane % size];
      if (size < lanes)
        row = vector::ExtractStridedSliceOp::create(
            builder, loc, row, ArrayRef<int64_t>{lane / size * size},
            ArrayRef<int64_t>{size}, ArrayRef<int64_t>{1});
      if (mask) {
        vector::MaskedStoreOp::create(builder, loc, buffer.memref,
                                      ValueRange{at}, mask, row);
        return;
      }
      storePieces(builder, loc, row, count, [&](Value piece, int64_t done) {
        Value here = indices.add(at, indices.constant(done));
        if (isa<VectorType>(piece.getType()))
          vector::StoreOp::create(builder, loc, piece, buffer.memref,
                                  ValueRange{here});
        else
          memref::StoreOp::create(builder, loc, piece, buffer.memref,
                                  ValueRange{here});
      });
    });
}
