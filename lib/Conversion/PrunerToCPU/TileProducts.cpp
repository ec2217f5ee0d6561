//===- TileProducts.cpp - updates by products of tile registers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM assigns tile registers and configures them once in a function. It does
// not reorder their loads, and spills them through memory. The order here is
// therefore that of execution: first the tiles of the factor that has fewer,
// and each tile of the other one just before its products.

#include "ComputeLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

/// Whether `op` updates every element of its output by tiles.
static bool updatesByTiles(ComputeOp op) {
  if (!op || !op.getInstruction() ||
      !findMatrixInstruction(*op.getInstruction())->isTile())
    return false;
  int64_t elements = 1;
  for (unsigned l = 0; l < op.getNumLoops(); ++l)
    if (LoopKind level = op.getLoopLevel(l);
        level != LoopKind::Serial && level != LoopKind::Dot)
      elements *= op.getLoopExtents()[l];
  auto accumulators = op.getOutput().getDefiningOp<AllocOp>();
  return accumulators &&
         accumulators.getResult().getType().getNumElements() == elements;
}

bool ComputeLowering::clearsTiles(ComputeOp init) {
  if (!init || init.getRole() != Role::Init)
    return false;
  auto update = dyn_cast_or_null<ComputeOp>(init->getNextNode());
  Value start = cast<YieldOp>(init.getBody().front().back()).getValue();
  return updatesByTiles(update) && update.getOutput() == init.getOutput() &&
         (matchPattern(start, m_Zero()) ||
          matchPattern(start, m_PosZeroFloat()));
}

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

/// The lowering of the statement after this one, if it only copies the
/// accumulators to where tiles can be stored: whole tiles, contiguous along the
/// vectors.
std::unique_ptr<ComputeLowering> ComputeLowering::copyOfTiles() {
  auto copy = dyn_cast_or_null<ComputeOp>(op->getNextNode());
  Value tiles = op.getOutput();
  if (!copy || copy.getInputs().size() != 1 || copy.getInputs()[0] != tiles ||
      !isa<BlockArgument>(copy.getOutput()) || copy.getNontemporal() ||
      !updatesByTiles(op))
    return nullptr;
  auto isOurs = [&](Operation *user) {
    return user == op || user == copy || user == op->getPrevNode();
  };
  auto value = dyn_cast<BlockArgument>(
      cast<YieldOp>(copy.getBody().front().back()).getValue());
  if (!llvm::all_of(tiles.getUsers(), isOurs) || !value ||
      value.getOwner() != &copy.getBody().front() ||
      copy.getMap(0) != op.getOutputMap())
    return nullptr;
  auto lowering = std::make_unique<ComputeLowering>(parent, copy);
  lowering->findCutDims();
  constexpr unsigned kOutput = 1;
  for (const auto &offset : offsets)
    if (lowering->strideAlong(kOutput, laneDim, offset, lanes) != 1 ||
        lowering->strideAlong(kOutput, tileDim, offset, tileHeight)
                .value_or(0) <= 0)
      return nullptr;
  return lowering->cutDims.empty() ? std::move(lowering) : nullptr;
}

/// Clears the tiles of the result or loads them, emits the reduction, and
/// stores them: where the statement after this one would copy them, if it does
/// nothing else.
void ComputeLowering::updateTiles() {
  unsigned output = op.getInputs().size();
  bInput = usesDim(op.getMap(0), laneDim) ? 0 : 1;
  aInput = 1 - bInput;
  Value rows = tileSize(tileHeight), bytes = tileSize(kTileRowBytes);
  SmallVector<Value> sums;
  bool clear = clearsTiles(dyn_cast_or_null<ComputeOp>(op->getPrevNode()));
  for (const auto &offset : offsets) {
    if (clear) {
      sums.push_back(callTile(kClearTile, {rows, bytes}));
      continue;
    }
    TileRows at = tileRowsAt(output, offset, {}, tileDim, 1, tileHeight);
    sums.push_back(callTile(kLoadTile, {rows, bytes, at.pointer, at.stride}));
  }
  sums = reduce(0, sums, {});
  std::unique_ptr<ComputeLowering> copy = copyOfTiles();
  if (copy)
    parent.done.insert(copy->op);
  ComputeLowering &writer = copy ? *copy : *this;
  unsigned target = writer.op.getInputs().size();
  for (auto [offset, sum] : llvm::zip_equal(offsets, sums)) {
    TileRows at = writer.tileRowsAt(target, offset, {}, tileDim, 1, tileHeight);
    callTile(kStoreTile, {rows, bytes, at.pointer, at.stride, sum});
  }
}

/// The tile of input `n` at `offset`.
Value ComputeLowering::loadTile(unsigned n, ArrayRef<int64_t> offset,
                                ArrayRef<IndexForm> extra) {
  int64_t group = instruction->group, rows = tileHeight,
          bytes = tileTerms * byteWidth(instruction->operands);
  TileRows at;
  if (n == aInput) {
    at = tileRowsAt(n, offset, extra, tileDim, 1, rows);
  } else {
    rows = tileTerms / group;
    bytes = kTileRowBytes;
    at = tileRowsAt(n, offset, extra, dotDim, group, rows);
  }
  return callTile(kLoadTile,
                  {tileSize(rows), tileSize(bytes), at.pointer, at.stride});
}

/// One step of the reduction for all tiles of the result.
SmallVector<Value> ComputeLowering::multiplyTiles(ArrayRef<Value> accumulators,
                                                  ArrayRef<IndexForm> extra) {
  std::map<SmallVector<int64_t>, SmallVector<unsigned>> places[2];
  for (auto [place, offset] : llvm::enumerate(offsets))
    for (unsigned n : {aInput, bInput})
      places[n][loadKey(n, offset)].push_back(place);
  unsigned held =
      places[aInput].size() <= places[bInput].size() ? aInput : bInput;
  std::map<SmallVector<int64_t>, Value> tiles;
  for (auto &[key, users] : places[held])
    tiles[key] = loadTile(held, offsets[users.front()], extra);
  Value rows = tileSize(tileHeight), bytes = tileSize(kTileRowBytes),
        terms = tileSize(tileTerms * byteWidth(instruction->operands));
  StringRef product = instruction->widths.front().intrinsic;
  SmallVector<Value> sums(accumulators);
  for (auto &[key, users] : places[1 - held]) {
    Value other = loadTile(1 - held, offsets[users.front()], extra);
    for (unsigned place : users) {
      Value tile = tiles[loadKey(held, offsets[place])];
      Value a = held == aInput ? tile : other,
            b = held == aInput ? other : tile;
      sums[place] = callTile(product, {rows, bytes, terms, sums[place], a, b});
    }
  }
  return sums;
}
