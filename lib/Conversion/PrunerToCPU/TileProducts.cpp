//===- TileProducts.cpp - updates by products of tile registers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM assigns tile registers and configures them once in a function. It does
// not reorder their loads, and spills them through memory. The order here is
// therefore that of execution: the tiles of a first, and each tile of b just
// before its products.

#include "ComputeLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pruner;

Value ComputeLowering::callTile(StringRef intrinsic, ValueRange operands) {
  StringAttr name = builder.getStringAttr(intrinsic);
  if (intrinsic == kStoreTile)
    return LLVM::CallIntrinsicOp::create(builder, loc, name, operands), Value();
  auto type = LLVM::LLVMX86AMXType::get(builder.getContext());
  return LLVM::CallIntrinsicOp::create(builder, loc, type, name, operands)
      .getResult(0);
}

/// A constant of 16 bits: rows, or bytes of a row.
Value ComputeLowering::tileSize(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI16IntegerAttr(int16_t(value)));
}

/// The address and the distance in bytes of the rows of a tile of operand `n`.
/// From one row to the next, `dim` moves by `step`.
ComputeLowering::TileRows
ComputeLowering::tileRowsAt(unsigned n, ArrayRef<int64_t> offset,
                            ArrayRef<IndexForm> extra, unsigned dim,
                            int64_t step, int64_t rows) {
  const FlatBuffer &buffer = parent.flat(operand(n));
  bool global = isa<BlockArgument>(operand(n));
  SmallVector<int64_t> moves(kernel.getNumDims(), 0);
  moves[dim] = step;
  LaneAddress where =
      getAddress(indices, buffer,
                 applyMap(maps[n], place(offset, extra, 0, global, kNoDim)),
                 applyMoves(maps[n], moves), rows);
  int64_t bytes = buffer.element().getIntOrFloatBitWidth() / 8;
  Type word = builder.getI64Type();
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc,
                                                              buffer.memref);
  Value at = indices.mul(indices.value(where.address), indices.constant(bytes));
  Value address =
      arith::IndexCastOp::create(builder, loc, word, indices.add(base, at));
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return {
      LLVM::IntToPtrOp::create(builder, loc, pointer, address),
      arith::ConstantOp::create(
          builder, loc, builder.getI64IntegerAttr(*where.laneStride * bytes))};
}

/// Loads the tiles of the result, emits the reduction, and stores them.
void ComputeLowering::updateTiles() {
  unsigned output = op.getInputs().size();
  bInput = usesDim(op.getMap(0), laneDim) ? 0 : 1;
  aInput = 1 - bInput;
  Value rows = tileSize(tileHeight), bytes = tileSize(kTileRowBytes);
  SmallVector<Value> sums;
  for (const auto &offset : offsets) {
    TileRows at = tileRowsAt(output, offset, {}, tileDim, 1, tileHeight);
    sums.push_back(callTile(kLoadTile, {rows, bytes, at.pointer, at.stride}));
  }
  sums = reduce(0, sums, {});
  for (auto [offset, sum] : llvm::zip_equal(offsets, sums)) {
    TileRows at = tileRowsAt(output, offset, {}, tileDim, 1, tileHeight);
    callTile(kStoreTile, {rows, bytes, at.pointer, at.stride, sum});
  }
}

/// One step of the reduction for all tiles of the result.
SmallVector<Value> ComputeLowering::multiplyTiles(ArrayRef<Value> accumulators,
                                                  ArrayRef<IndexForm> extra) {
  int64_t group = instruction->group;
  Value rows = tileSize(tileHeight), bytes = tileSize(kTileRowBytes),
        terms = tileSize(tileTerms * byteWidth(instruction->operands));
  std::map<SmallVector<int64_t>, Value> as;
  std::map<SmallVector<int64_t>, SmallVector<unsigned>> users;
  for (auto [place, offset] : llvm::enumerate(offsets)) {
    users[loadKey(bInput, offset)].push_back(place);
    Value &a = as[loadKey(aInput, offset)];
    if (a)
      continue;
    TileRows at = tileRowsAt(aInput, offset, extra, tileDim, 1, tileHeight);
    a = callTile(kLoadTile, {rows, terms, at.pointer, at.stride});
  }
  StringRef product = instruction->widths.front().intrinsic;
  SmallVector<Value> sums(accumulators);
  for (auto &[key, places] : users) {
    TileRows at = tileRowsAt(bInput, offsets[places.front()], extra, dotDim,
                             group, tileTerms / group);
    Value b = callTile(
        kLoadTile, {tileSize(tileTerms / group), bytes, at.pointer, at.stride});
    for (unsigned place : places)
      sums[place] = callTile(product, {rows, bytes, terms, sums[place],
                                       as[loadKey(aInput, offsets[place])], b});
  }
  return sums;
}
