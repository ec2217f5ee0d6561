//===- StoreTile.cpp - results of register tiles --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComputeLowering.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

/// The smallest vector that x86 stores around the caches by one instruction.
static constexpr int64_t kLeastStreamedBytes = 16;

/// The address of operand `n` at a place.
Value ComputeLowering::address(unsigned n, ArrayRef<IndexForm> place) {
  return addressOf(n, applyMap(maps[n], place));
}

/// The address of operand `n` at coordinates of its tensor.
Value ComputeLowering::addressOf(unsigned n, ArrayRef<IndexForm> coords) {
  SmallVector<int64_t> still(coords.size(), 0);
  return indices.value(
      getAddress(indices, parent.flat(operand(n)), coords, still, 1).address);
}

/// True if a place of a cut tile is inside the domain along all dimensions of
/// the result except `masked`; null if it always is.
Value ComputeLowering::isInside(ArrayRef<int64_t> offset, int masked) {
  Value inside;
  if (guarded && isa<BlockArgument>(op.getOutput()))
    for (unsigned dim : cutDims) {
      // Several lanes are masked, or tested one by one.
      if ((int(dim) == laneDim && lanes > 1) || int(dim) == masked ||
          !usesDim(maps.back(), dim))
        continue;
      Value begin = indices.value(base[dim] + offset[dim]);
      Value here = indices.compare(arith::CmpIPredicate::slt, begin,
                                   indices.constant(kernel.getExtents()[dim]));
      inside = indices.both(inside, here);
    }
  return inside;
}

/// Runs a store of one lane of results if it is inside the domain.
void ComputeLowering::ifLane(ArrayRef<int64_t> offset, int64_t lane,
                             llvm::function_ref<void()> body) {
  if (!lanesAreCut() || !isa<BlockArgument>(op.getOutput()))
    return body();
  Value at = indices.value(base[laneDim] + offset[laneDim] + lane);
  Value here = indices.compare(arith::CmpIPredicate::slt, at,
                               indices.constant(kernel.getExtents()[laneDim]));
  auto ifOp = scf::IfOp::create(builder, loc, here, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  body();
}

/// Stores strided lanes by one scatter instruction, if vectors have masks.
bool ComputeLowering::scatter(const LaneAddress &where,
                              ArrayRef<int64_t> offset, Value value) {
  const FlatBuffer &buffer = parent.flat(op.getOutput());
  Type element = buffer.element();
  if (!where.laneStride || !masksAreCheap() || !hasPlainVectors(element) ||
      !llvm::isInt<32>(lanes * *where.laneStride))
    return false;
  SmallVector<int32_t> steps;
  for (int64_t lane = 0; lane < lanes; ++lane)
    steps.push_back(int32_t(lane * *where.laneStride));
  Value places =
      arith::ConstantOp::create(builder, loc, builder.getI32VectorAttr(steps));
  Value mask = isa<BlockArgument>(op.getOutput()) && lanesAreCut()
                   ? laneMask(offset)
                   : indices.mask(indices.constant(lanes), lanes);
  vector::ScatterOp::create(builder, loc, Type(), buffer.memref,
                            ValueRange{indices.value(where.address)}, places,
                            mask, value);
  return true;
}

/// Whether a whole vector at this index is stored around the caches. Arguments
/// are usually aligned to lines. If LLVM cannot prove that the address is
/// aligned to the vector, it stores parts of eight bytes.
bool ComputeLowering::isNontemporal(const IndexForm &address) {
  Type element = parent.flat(op.getOutput()).element();
  int64_t bytes = lanes * element.getIntOrFloatBitWidth() / 8;
  return op.getNontemporal() && bytes >= kLeastStreamedBytes &&
         address.isMultipleOf(lanes);
}

void ComputeLowering::store(ArrayRef<int64_t> offset, Value value) {
  unsigned n = op.getInputs().size();
  const FlatBuffer &buffer = parent.flat(op.getOutput());

  // Rows beyond the domain are not stored.
  OpBuilder::InsertionGuard guard(builder);
  if (Value inside = isInside(offset, kNoDim)) {
    auto ifOp = scf::IfOp::create(builder, loc, inside, /*withElse=*/false);
    builder.setInsertionPointToStart(ifOp.thenBlock());
  }

  auto placeOf = [&](int64_t lane) {
    return place(offset, {}, lane, /*clamp=*/false, kNoDim);
  };
  if (lanes == 1 || reducesLanes) {
    memref::StoreOp::create(builder, loc, value, buffer.memref,
                            ValueRange{address(n, placeOf(0))});
    return;
  }
  LaneAddress where = getAddress(indices, buffer, applyMap(maps[n], placeOf(0)),
                                 laneMoves(maps[n]), lanes);
  bool cut = isa<BlockArgument>(op.getOutput()) && lanesAreCut();
  if (where.laneStride == 1 && movesAsVector(buffer.element(), cut)) {
    Value at = indices.value(where.address);
    if (cut) {
      vector::MaskedStoreOp::create(builder, loc, buffer.memref, ValueRange{at},
                                    laneMask(offset), value);
      return;
    }
    bool nontemporal = isNontemporal(where.address);
    vector::StoreOp::create(builder, loc, value, buffer.memref, ValueRange{at},
                            nontemporal);
    parent.storesAroundCaches |= nontemporal;
    return;
  }
  if (scatter(where, offset, value))
    return;
  for (int64_t lane = 0; lane < lanes; ++lane)
    ifLane(offset, lane, [&] {
      Value at = address(n, placeOf(lane));
      Value one = vector::ExtractOp::create(builder, loc, value,
                                            ArrayRef<int64_t>{lane});
      memref::StoreOp::create(builder, loc, one, buffer.memref, ValueRange{at});
    });
}
