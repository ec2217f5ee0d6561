//===- WindowStage.cpp - staging windows side by side ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the buffer are rows of windows, and the map of an input says where
// they are in it: overlapping, and partly outside if the stage is padded. The
// memory after the end of a window is set to zero with the rest of its row.

#include "StageLowering.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

/// The coordinate of input `n` that moves along rows of the buffer and along
/// another coordinate of the staged tensor.
std::optional<unsigned> StageLowering::windowCoord(unsigned n) {
  for (auto [r, expr] : llvm::enumerate(inputMap(n).getResults()))
    if (rowCoord && expr.isFunctionOfDim(*rowCoord) &&
        !isa<AffineDimExpr>(expr))
      return r;
  return std::nullopt;
}

/// Whether some input has windows along the rows of the buffer.
bool StageLowering::copiesWindows() {
  if (!rowCoord || rowStep != 1)
    return false;
  for (unsigned n = 0; n < op.getInputs().size(); ++n)
    if (windowCoord(n))
      return true;
  return false;
}

/// The number of innermost physical dimensions that are one row: the last one,
/// and the one around it if it numbers its pieces.
unsigned StageLowering::rowDims() {
  unsigned last = extents.size() - 1;
  if (last == 0)
    return 1;
  LayoutTerm inner = term(last), outer = term(last - 1);
  bool pieces = outer.coord == inner.coord && outer.div == inner.mod &&
                inner.mod == target.shape[last] && outer.mod == 0;
  return pieces ? 2 : 1;
}

void StageLowering::lowerWindows(unsigned p, Forms local) {
  unsigned inner = rowDims();
  if (p + inner < extents.size()) {
    // Positions outside of a padded tensor are filled, others are not read.
    Value bound =
        op.getPadding() ? indices.constant(extents[p]) : dimBound(p, local);
    return lowerLoop(p, local, indices.constant(0), bound, 1,
                     [&](Forms here) { lowerWindows(p + 1, std::move(here)); });
  }
  int64_t length = 1;
  for (unsigned d = p; d < extents.size(); ++d)
    length *= target.shape[d];
  Window window = {std::move(local), length, {}, {}};
  if (!op.getPadding())
    return lowerWindow(std::move(window));
  ifInside(
      window.local, std::nullopt, [&] { lowerWindow(window); },
      [&] {
        window.begin = window.end = indices.constant(0);
        copyWindow(window);
      });
}

/// One row, which is inside of the tensor along all other coordinates. Most
/// windows are whole, so these have code of their own.
void StageLowering::lowerWindow(Window window) {
  Value whole;
  IndexForm row = origin[*rowCoord] + window.local[*rowCoord];
  int64_t extent = op.getShape()[*rowCoord];
  // The positions of the row that are inside of the tensor and of all inputs.
  Value begin = indices.constant(0);
  Value end =
      indices.min(indices.sub(indices.constant(extent), indices.value(row)),
                  indices.constant(window.length));
  Value wholeEnd = end;
  for (unsigned n = 0; op.getPadding() && n < op.getInputs().size(); ++n) {
    std::optional<unsigned> r = windowCoord(n);
    if (!r)
      continue;
    IndexForm at =
        applyMap(inputMap(n), coordinates({}, window.local, 0, false))[*r];
    int64_t size = cast<MemRefType>(op.getInputs()[n].getType()).getShape()[*r];
    Value first = indices.sub(indices.constant(0), indices.value(at));
    Value last = indices.sub(indices.constant(size), indices.value(at));
    begin = indices.max(begin, first);
    end = indices.min(end, last);
    Value zero = indices.constant(0);
    Value inside = indices.both(
        indices.compare(arith::CmpIPredicate::sle, first, zero),
        indices.compare(arith::CmpIPredicate::sge, last, wholeEnd));
    whole = indices.both(whole, inside);
  }
  window.begin = indices.constant(0);
  window.end = wholeEnd;
  if (!whole)
    return copyWindow(window);
  auto ifOp = scf::IfOp::create(builder, loc, whole, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  copyWindow(window);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  window.begin = begin;
  window.end = end;
  copyWindow(window);
}

/// Fills a row: with elements from `begin` to below `end`, and with zeros or
/// padding elsewhere.
void StageLowering::copyWindow(const Window &window) {
  int64_t lanes = std::max<int64_t>(op.getVector(), 1);
  if (!hasPlainVectors(target.element()) ||
      !windowsAreContiguous(window.local, std::min(lanes, window.length)))
    lanes = 1;
  int64_t done = 0;
  if (lanes == 1)
    done = loopOverMany(window.length, 1, [&](const IndexForm &along) {
      moveWindow(window, along, 1);
    });
  while (done < window.length) {
    while (lanes > window.length - done)
      lanes /= 2;
    moveWindow(window, IndexForm(done), lanes);
    done += lanes;
  }
}

/// Whether vectors along a row read vectors of each input.
bool StageLowering::windowsAreContiguous(FormsRef local, int64_t lanes) {
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    std::optional<int64_t> stride = laneStride(n, rowCoord, 1, local, lanes);
    if (!stride || (*stride != 0 && *stride != 1) ||
        !hasPlainVectors(parent.flat(op.getInputs()[n]).element()))
      return false;
  }
  return true;
}

/// Fills `lanes` elements of a row from position `along` on.
void StageLowering::moveWindow(const Window &window, const IndexForm &along,
                               int64_t lanes) {
  TypedAttr padding = op.getPadding().value_or(TypedAttr());
  if (!padding)
    padding = builder.getZeroAttr(target.element());
  Value filler = arith::ConstantOp::create(builder, loc, padding);
  Value at = indices.value(along);
  Value before = indices.sub(window.begin, at),
        rest = indices.sub(window.end, at);
  std::optional<int64_t> first = getConstantIntValue(before),
                         inside = getConstantIntValue(rest);
  if (inside && *inside <= 0) {
    store(lanes == 1 ? filler : broadcastTo(builder, loc, filler, lanes), along,
          window.local);
    return;
  }
  bool all = first && *first <= 0 && inside && *inside >= lanes;
  auto compute = [&](Value mask) {
    SmallVector<Value> arguments;
    for (unsigned n = 0; n < op.getInputs().size(); ++n)
      arguments.push_back(readWindow(n, along, window.local, lanes, mask));
    Value value = inlineBody(builder, op.getBody().front(), arguments,
                             /*contract=*/false);
    return lanes == 1 ? value : broadcastTo(builder, loc, value, lanes);
  };
  if (all)
    return store(compute({}), along, window.local);
  if (lanes > 1) {
    Value mask = indices.mask(rest, lanes);
    if (!first || *first > 0) {
      Value outside = indices.mask(before, lanes);
      Value set = arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(cast<ShapedType>(outside.getType()), true));
      mask = arith::AndIOp::create(
          builder, loc, mask,
          arith::XOrIOp::create(builder, loc, outside, set));
    }
    // Masked loads have zeros in the other lanes.
    Value value = compute(mask);
    if (!value.getDefiningOp<vector::MaskedLoadOp>() ||
        padding != builder.getZeroAttr(target.element()))
      value = arith::SelectOp::create(builder, loc, mask, value,
                                      broadcastTo(builder, loc, filler, lanes));
    store(value, along, window.local);
    return;
  }
  Value zero = indices.constant(0);
  Value here =
      indices.both(indices.compare(arith::CmpIPredicate::sle, before, zero),
                   indices.compare(arith::CmpIPredicate::sgt, rest, zero));
  auto ifOp = scf::IfOp::create(builder, loc, here, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  store(compute({}), along, window.local);
  builder.setInsertionPointToStart(ifOp.elseBlock());
  store(filler, along, window.local);
}

/// `lanes` elements of input `n` from position `along` of a row on, those of
/// `mask` if it is given; or the one that they share.
Value StageLowering::readWindow(unsigned n, const IndexForm &along,
                                FormsRef local, int64_t lanes, Value mask) {
  const FlatBuffer &source = parent.flat(op.getInputs()[n]);
  SmallVector<int64_t> moving = moves(n, rowCoord, 1);
  Value at = indices.value(
      getAddress(indices, source,
                 applyMap(inputMap(n), coordinates(along, local, 0, false)),
                 moving, lanes)
          .address);
  if (lanes == 1 || llvm::all_of(moving, [](int64_t m) { return m == 0; }))
    return memref::LoadOp::create(builder, loc, source.memref, ValueRange{at});
  auto type = VectorType::get({lanes}, source.element());
  if (!mask)
    return vector::LoadOp::create(builder, loc, type, source.memref,
                                  ValueRange{at});
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return vector::MaskedLoadOp::create(builder, loc, type, source.memref,
                                      ValueRange{at}, mask, zero);
}
