//===- BufferAccess.cpp - addresses in buffers and tensors ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/BufferAccess.h"

#include "pruner/Dialect/Pruner/IR/Layout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace pruner;

FlatBuffer FlatBuffer::create(OpBuilder &builder, Location loc, Value buffer,
                              Value memref) {
  FlatBuffer flat;
  auto type = cast<MemRefType>(memref.getType());
  flat.shape.assign(type.getShape().begin(), type.getShape().end());
  if (auto origin = getBufferOrigin(buffer)) {
    flat.layout = origin->layout;
    flat.origin.assign(origin->at.begin(), origin->at.end());
  } else {
    flat.layout =
        AffineMap::getMultiDimIdentityMap(type.getRank(), builder.getContext());
  }
  if (type.getRank() == 0) {
    SmallVector<ReassociationIndices> none;
    auto flatType = MemRefType::get({1}, type.getElementType(), AffineMap(),
                                    type.getMemorySpace());
    memref =
        memref::ExpandShapeOp::create(builder, loc, flatType, memref, none);
  } else if (type.getRank() > 1) {
    ReassociationIndices all;
    for (int64_t r = 0; r < type.getRank(); ++r)
      all.push_back(r);
    memref = memref::CollapseShapeOp::create(
        builder, loc, memref, SmallVector<ReassociationIndices>{all});
  }
  flat.memref = memref;
  return flat;
}

/// True if `lanes` lanes that start at `form` and advance by `step` stay within
/// one block of `size`.
static bool staysWithin(const IndexForm &form, int64_t size, int64_t step,
                        int64_t lanes) {
  auto split = form.split(size);
  return split && !(split->remainder + step * (lanes - 1)).mayReach(size);
}

/// Quotient and remainder. Computes at run time only the terms that are not
/// multiples of `divisor`, and only if the form does not determine them.
static IndexForm::Split divide(IndexBuilder &indices, const IndexForm &form,
                               int64_t divisor) {
  if (auto split = form.split(divisor))
    return *split;
  IndexForm multiples(form.getConstant() / divisor * divisor),
      rest(form.getConstant() % divisor);
  bool nonNegative = form.getConstant() >= 0;
  for (const IndexTerm &term : form.getTerms()) {
    IndexForm &part = term.coeff % divisor == 0 ? multiples : rest;
    part = part + IndexForm(term);
    nonNegative &= term.coeff >= 0;
  }
  if (!nonNegative) {
    multiples = IndexForm();
    rest = form;
  }
  Value value = indices.value(rest), by = indices.constant(divisor);
  auto bounded = [](Value index, int64_t trips) {
    return IndexForm(IndexTerm{index, 1, trips, {}});
  };
  std::optional<int64_t> largest = rest.maximum();
  IndexForm::Split result;
  result.quotient =
      bounded(indices.divU(value, by), largest ? *largest / divisor + 1 : 0);
  if (auto whole = multiples.split(divisor))
    result.quotient = result.quotient + whole->quotient;
  result.remainder =
      bounded(indices.remU(value, by),
              largest ? std::min(*largest + 1, divisor) : divisor);
  return result;
}

LaneAddress pruner::getAddress(IndexBuilder &indices, const FlatBuffer &buffer,
                               ArrayRef<IndexForm> coords,
                               ArrayRef<int64_t> steps, int64_t lanes) {
  LaneAddress result;
  result.address = buffer.start;
  result.laneStride = 0;
  SmallVector<int64_t> strides(buffer.shape.size(), 1);
  for (size_t p = buffer.shape.size(); p-- > 1;)
    strides[p - 1] = strides[p] * buffer.shape[p];

  for (auto [p, expr] : llvm::enumerate(buffer.layout.getResults())) {
    LayoutTerm term = toLayoutTerm(expr);
    IndexForm form = coords[term.coord].without(buffer.origin);
    // The distance between consecutive lanes along this coordinate. A lane may
    // move by whole blocks, or within a block but not across its border.
    int64_t step = steps[term.coord];
    auto enter = [&](int64_t size, int64_t evenStep, int64_t stepWithin) {
      if (step % size == 0)
        step = evenStep;
      else if (staysWithin(form, size, step, lanes))
        step = stepWithin;
      else
        result.laneStride = std::nullopt;
    };
    if (term.div != 1) {
      enter(term.div, step / term.div, 0);
      form = divide(indices, form, term.div).quotient;
    }
    if (term.mod != 0) {
      enter(term.mod, 0, step);
      form = divide(indices, form, term.mod).remainder;
    }
    if (result.laneStride)
      *result.laneStride += step * strides[p];
    result.address = result.address + form * strides[p];
  }
  return result;
}

/// Calls `onDim(position, factor)` and `onConstant(value)` for the terms of a
/// linear expression.
static void forEachPart(AffineExpr expr, int64_t factor,
                        llvm::function_ref<void(unsigned, int64_t)> onDim,
                        llvm::function_ref<void(int64_t)> onConstant) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return onDim(dim.getPosition(), factor);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return onConstant(factor * constant.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (binary.getKind() == AffineExprKind::Add) {
    forEachPart(binary.getLHS(), factor, onDim, onConstant);
    forEachPart(binary.getRHS(), factor, onDim, onConstant);
    return;
  }
  int64_t by = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  forEachPart(binary.getLHS(), factor * by, onDim, onConstant);
}

SmallVector<IndexForm> pruner::applyMap(AffineMap map,
                                        ArrayRef<IndexForm> inputs) {
  SmallVector<IndexForm> results;
  for (AffineExpr expr : map.getResults()) {
    IndexForm form;
    forEachPart(
        expr, 1,
        [&](unsigned dim, int64_t factor) {
          form = form + inputs[dim] * factor;
        },
        [&](int64_t value) { form = form + value; });
    results.push_back(std::move(form));
  }
  return results;
}

SmallVector<int64_t> pruner::applyMoves(AffineMap map,
                                        ArrayRef<int64_t> moves) {
  SmallVector<int64_t> results;
  for (AffineExpr expr : map.getResults()) {
    int64_t move = 0;
    forEachPart(
        expr, 1,
        [&](unsigned dim, int64_t factor) { move += moves[dim] * factor; },
        [](int64_t) {});
    results.push_back(move);
  }
  return results;
}

bool pruner::usesDim(AffineMap map, unsigned dim) {
  return map.isFunctionOfDim(dim);
}
