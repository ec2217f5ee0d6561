//===- LoadTile.cpp - inputs of statements on register tiles --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComputeLowering.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

/// The position of the place `offset`, moved by `lane` lanes. With `clamp`, cut
/// dimensions other than `unclamped` are limited to the last element of the
/// domain.
SmallVector<IndexForm> ComputeLowering::place(ArrayRef<int64_t> offset,
                                              ArrayRef<IndexForm> extra,
                                              int64_t lane, bool clamp,
                                              int unclamped) {
  SmallVector<IndexForm> forms;
  for (unsigned dim = 0; dim < kernel.getNumDims(); ++dim) {
    IndexForm form = base[dim] + offset[dim];
    if (!extra.empty())
      form = form + extra[dim];
    if (int(dim) == laneDim)
      form = form + lane;
    bool mayLeave = (guarded && llvm::is_contained(cutDims, dim)) ||
                    (tailMask && int(dim) == laneDim);
    if (clamp && mayLeave && int(dim) != unclamped) {
      // Tiles in place are whole, or they are entirely outside.
      int64_t rows = dim == tileDim ? tileHeight : 1;
      Value last = indices.constant(kernel.getExtents()[dim] - rows);
      form = IndexForm::opaque(indices.min(indices.value(form), last));
    }
    forms.push_back(std::move(form));
  }
  return forms;
}

SmallVector<int64_t> ComputeLowering::laneMoves(AffineMap map) {
  SmallVector<int64_t> moves(kernel.getNumDims(), 0);
  if (laneDim >= 0)
    moves[laneDim] = 1;
  return applyMoves(map, moves);
}

bool ComputeLowering::lanesAreCut() {
  return guarded && laneDim >= 0 &&
         llvm::is_contained(cutDims, unsigned(laneDim));
}

/// A mask with one bit for each lane inside the domain.
Value ComputeLowering::laneMask(ArrayRef<int64_t> offset) {
  Value begin = indices.value(base[laneDim] + offset[laneDim]);
  Value count =
      indices.sub(indices.constant(kernel.getExtents()[laneDim]), begin);
  return indices.mask(count, lanes);
}

/// True if contiguous lanes are loaded and stored as a vector. An i1 element
/// takes one byte in memory, and only AVX-512 has masks for bytes.
bool ComputeLowering::movesAsVector(Type element, bool cut) {
  return hasPlainVectors(element) ||
         (element.isInteger(1) && (!cut || masksAreCheap()));
}

/// The element, or the vector of lanes, of operand `n` at a place. A scalar if
/// all lanes read the same element.
Value ComputeLowering::load(unsigned n, ArrayRef<int64_t> offset,
                            ArrayRef<IndexForm> extra) {
  const FlatBuffer &buffer = parent.flat(operand(n));
  bool global = isa<BlockArgument>(operand(n));
  AffineMap map = maps[n];
  Type element = buffer.element();
  SmallVector<int64_t> moves = laneMoves(map);
  bool uniform =
      lanes == 1 || llvm::all_of(moves, [](int64_t m) { return m == 0; });
  const bool checks = guarded && isPadded(n);
  auto scalar = [&](int64_t lane) -> Value {
    SmallVector<IndexForm> coords =
        applyMap(map, place(offset, extra, lane, global, kNoDim));
    Value inside = checks ? clampToTensor(n, coords, std::nullopt) : Value();
    Value element = memref::LoadOp::create(builder, loc, buffer.memref,
                                           ValueRange{addressOf(n, coords)});
    return orPadding(n, inside, element);
  };
  if (uniform || (reducesLanes && n == op.getInputs().size()))
    return scalar(0);
  SmallVector<IndexForm> coords =
      applyMap(map, place(offset, extra, 0, global, laneDim));
  Value inside, lanesInside;
  if (checks) {
    // Contiguous lanes move one coordinate, by one.
    std::optional<unsigned> along;
    if (auto *moved = llvm::find_if(moves, [](auto move) { return move != 0; });
        *moved == 1) {
      along = moved - moves.begin();
      lanesInside = lanesInTensor(n, *along, coords[*along]);
    }
    inside = clampToTensor(n, coords, along);
  }
  LaneAddress where = getAddress(indices, buffer, coords, moves, lanes);
  auto type = VectorType::get({lanes}, element);
  bool cut = global && (lanesAreCut() || tailMask);
  if (where.laneStride == 1 && movesAsVector(element, cut)) {
    Value address = indices.value(where.address), mask = lanesInside;
    if (cut) {
      Value inDomain = tailMask ? tailMask : laneMask(offset);
      mask =
          mask ? arith::AndIOp::create(builder, loc, mask, inDomain).getResult()
               : inDomain;
    }
    if (!mask)
      return orPadding(n, inside,
                       vector::LoadOp::create(builder, loc, type, buffer.memref,
                                              ValueRange{address}));
    Value other = checks ? padding(n, type)
                         : arith::ConstantOp::create(builder, loc,
                                                     builder.getZeroAttr(type))
                               .getResult();
    return orPadding(
        n, inside,
        vector::MaskedLoadOp::create(builder, loc, type, buffer.memref,
                                     ValueRange{address}, mask, other));
  }
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < lanes; ++lane)
    elements.push_back(scalar(lane));
  return vectorFrom(builder, loc, elements);
}
