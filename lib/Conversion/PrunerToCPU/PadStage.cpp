//===- PadStage.cpp - staging with padding --------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageLowering.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

/// Whether the box may reach beyond the tensor along `coord`, to either side.
bool StageLowering::mayLeave(unsigned coord) {
  return origin[coord].getConstant() < 0 || isCut(coord);
}

/// Null where that is known.
Value StageLowering::isInside(unsigned coord, const IndexForm &position) {
  Value inside;
  auto require = [&](arith::CmpIPredicate predicate, int64_t bound) {
    Value here = arith::CmpIOp::create(builder, loc, predicate,
                                       position.materialize(builder, loc),
                                       parent.index(bound));
    inside = inside ? arith::AndIOp::create(builder, loc, inside, here) : here;
  };
  if (position.getConstant() < 0)
    require(arith::CmpIPredicate::sge, 0);
  int64_t extent = op.getShape()[coord];
  std::optional<int64_t> largest = position.maximum();
  if (!largest || *largest >= extent)
    require(arith::CmpIPredicate::slt, extent);
  return inside;
}

/// Loops over all of the buffer's rows.
void StageLowering::lowerPadded(unsigned p, Forms local) {
  if (p + 1 < target.shape.size())
    return lowerLoop(p, local, parent.index(0), parent.index(target.shape[p]),
                     1,
                     [&](Forms here) { lowerPadded(p + 1, std::move(here)); });
  if (!rowCoord)
    return move({}, local, 1, /*cut=*/false);
  Value inside;
  for (unsigned r = 0; r < origin.size(); ++r) {
    if (r == rowCoord || !mayLeave(r))
      continue;
    Value here = isInside(r, origin[r] + local[r]);
    if (here)
      inside =
          inside ? arith::AndIOp::create(builder, loc, inside, here) : here;
  }
  if (!inside)
    return padRow(p, local);
  auto ifOp = scf::IfOp::create(builder, loc, inside, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  padRow(p, local);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  fillRow(p, local);
}

/// A row of which some elements are inside. Those outside are few, but where
/// they are depends on the tile: the whole row is filled first.
void StageLowering::padRow(unsigned p, FormsRef local) {
  if (!mayLeave(*rowCoord))
    return lowerPieces(target.shape[p], local, /*cut=*/false);
  fillRow(p, local);
  copyPart(p, local);
}

void StageLowering::fillRow(unsigned p, FormsRef local) {
  Value scalar = arith::ConstantOp::create(builder, loc, *op.getPadding());
  int64_t length = target.shape[p];
  int64_t lanes = hasPlainVectors(elementOf(target))
                      ? std::max<int64_t>(op.getVector(), 1)
                      : 1;
  int64_t whole = length / lanes * lanes;
  if (whole > 0) {
    auto forOp = scf::ForOp::create(builder, loc, parent.index(0),
                                    parent.index(whole), parent.index(lanes));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    IndexForm here(IndexTerm{forOp.getInductionVar(), 1, whole, {}});
    store(lanes == 1 ? scalar : broadcastTo(builder, loc, scalar, lanes), here,
          local);
  }
  for (int64_t n = whole; n < length; ++n)
    store(scalar, IndexForm(n), local);
}

/// The elements of a row that are inside: vectors, then one by one.
void StageLowering::copyPart(unsigned p, FormsRef local) {
  unsigned row = *rowCoord;
  int64_t length = target.shape[p];
  IndexForm start = origin[row] + local[row];
  Value at = start.materialize(builder, loc);
  // The first position n with start + n * rowStep >= bound, within the row.
  auto firstAt = [&](int64_t bound) -> Value {
    Value distance = arith::SubIOp::create(
        builder, loc, parent.index(bound + rowStep - 1), at);
    Value zero = parent.index(0);
    distance = arith::MaxSIOp::create(builder, loc, distance, zero);
    if (rowStep != 1)
      distance =
          arith::DivUIOp::create(builder, loc, distance, parent.index(rowStep));
    return arith::MinSIOp::create(builder, loc, distance, parent.index(length));
  };
  Value begin = firstAt(0), end = firstAt(op.getShape()[row]);
  int64_t lanes = std::max<int64_t>(op.getVector(), 1);
  auto loop = [&](Value from, Value to, int64_t step) {
    auto forOp = scf::ForOp::create(builder, loc, from, to, parent.index(step));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    move(IndexForm(IndexTerm{forOp.getInductionVar(), 1, length, {}}), local,
         step, /*cut=*/false);
  };
  if (lanes > 1 && lanes <= length &&
      vectorReads({}, local, lanes, /*cut=*/false)) {
    Value count = arith::SubIOp::create(builder, loc, end, begin);
    count = arith::MaxSIOp::create(builder, loc, count, parent.index(0));
    Value rest =
        arith::RemUIOp::create(builder, loc, count, parent.index(lanes));
    Value whole = arith::SubIOp::create(builder, loc, count, rest);
    Value middle = arith::AddIOp::create(builder, loc, begin, whole);
    loop(begin, middle, lanes);
    begin = middle;
  }
  loop(begin, end, 1);
}
