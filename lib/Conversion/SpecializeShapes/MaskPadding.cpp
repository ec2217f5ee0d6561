//===- MaskPadding.cpp - linalg over padded dimensions --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Padding of a parallel loop computes results that nothing reads. Padding of a
// reduction loop must not change the result: the operands get the neutral
// element of the reduction there, in a separate elementwise op that can be
// fused into tasks. If no such element is known, the body keeps its accumulator
// in padding.
//
//===----------------------------------------------------------------------===//

#include "Cloner.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pruner;

/// Derives the dimensions of loops from operands whose maps contain them alone.
LogicalResult Cloner::findLoops(linalg::LinalgOp op, Dims &loops) {
  PaddedDim unknown;
  unknown.uniform = true;
  loops.assign(op.getNumLoops(), unknown);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    const Dims &known = dimsOf(operand.get());
    AffineMap access = op.getMatchingIndexingMap(&operand);
    for (auto [expr, dim] : llvm::zip_equal(access.getResults(), known)) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop) {
        if (!isConstant(dim.extents))
          return fail(op) << "operand #" << operand.getOperandNumber()
                          << " is not read along it by a single loop";
        continue;
      }
      PaddedDim &all = loops[loop.getPosition()];
      if (!all.extents.empty() && all.extents != dim.extents)
        return fail(op) << "operand #" << operand.getOperandNumber()
                        << " has a different extent than other operands";
      if (all.uniform) {
        all = dim;
        // The operand has no padding, and no other operand determines the
        // positions.
        all.uniform &= !isConstant(dim.extents);
      } else if (!dim.uniform && all != dim) {
        return fail(op) << "operand #" << operand.getOperandNumber()
                        << " is padded differently than other operands";
      }
    }
  }
  return success();
}

static SmallVector<unsigned> paddedLoops(ArrayRef<PaddedDim> loops) {
  SmallVector<unsigned> which;
  for (auto [n, loop] : llvm::enumerate(loops))
    if (loop.isPadded())
      which.push_back(n);
  return which;
}

LogicalResult Cloner::checkReads(Operation *op) {
  llvm::SetVector<Value> read;
  getUsedValuesDefinedAbove(op->getRegions(), read);
  for (Value value : read) {
    if (!isa<RankedTensorType>(value.getType()))
      continue;
    for (const PaddedDim &dim : dimsOf(value)) {
      if (!dim.isPrefix(size()))
        return fail(op)
               << "it reads elements at positions that padding changes";
      if (dim.isPadded() || dim.uniform)
        result.independent = false;
    }
  }
  return success();
}

/// A loop in the body of `op` whose number of iterations may depend on an
/// element. In padding it might never end.
static Operation *findLoop(Operation *op) {
  Operation *found = nullptr;
  op->walk([&](Operation *inner) {
    auto loop = dyn_cast<scf::ForOp>(inner);
    auto isKnown = [&](OpFoldResult number) {
      return getConstantIntValue(number).has_value();
    };
    if (isa<scf::WhileOp>(inner) ||
        (loop && !(isKnown(loop.getLowerBound()) &&
                   isKnown(loop.getUpperBound()) && isKnown(loop.getStep()))))
      found = inner;
  });
  return found;
}

LogicalResult Cloner::cloneLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return fail(op) << "it works on buffers";
  if (failed(mapNumbers(op)))
    return failure();
  Dims loops;
  if (failed(findLoops(op, loops)))
    return failure();
  SmallVector<unsigned> asked;
  op.getReductionDims(asked);
  SmallVector<unsigned> indexed;
  op->walk([&](linalg::IndexOp index) { indexed.push_back(index.getDim()); });
  llvm::append_range(asked, indexed);
  for (unsigned n : asked) {
    if (loops[n].extents.empty())
      continue;
    FailureOr<PaddedDim> known = resolve(loops[n], calls);
    if (failed(known))
      return fail(op) << "the extent of loop " << n
                      << " is not a multiple of the size";
    loops[n] = *known;
    loops[n].uniform = false;
  }
  for (unsigned n : indexed) {
    if (!loops[n].isPrefix(size()))
      return fail(op) << "it computes with positions of loop " << n
                      << ", which padding changes";
    if (loops[n].isPadded())
      result.independent = false;
  }
  if (failed(checkReads(op)))
    return failure();
  if (!paddedLoops(loops).empty() && findLoop(op))
    return fail(op) << "a loop in its body may not end in padding";

  auto made = cast<linalg::LinalgOp>(builder.clone(*op, map));
  for (auto [from, to] :
       llvm::zip_equal(made.getDpsInits(), made->getResults()))
    to.setType(from.getType());
  // The divisors of masks need no guard, and would be wrong with one.
  if (failed(guardBody(made, loops)) || failed(maskReduction(made, loops)))
    return failure();
  for (auto [n, from] : llvm::enumerate(op->getResults())) {
    Dims known;
    AffineMap access = op.getMatchingIndexingMap(op.getDpsInitOperand(n));
    for (auto [expr, dim] : llvm::zip_equal(
             access.getResults(), dimsOf(op.getDpsInitOperand(n)->get()))) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      known.push_back(loop ? loops[loop.getPosition()] : dim);
    }
    define(from, made->getResult(n), std::move(known));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value Cloner::isElement(OpBuilder &inside, Location loc,
                        ArrayRef<PaddedDim> loops, ArrayRef<unsigned> which) {
  Value all;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(inside, loc, value);
  };
  for (unsigned n : which)
    for (int64_t stride : loops[n].strides) {
      Value place = linalg::IndexOp::create(inside, loc, n);
      if (stride > 1)
        place = arith::DivUIOp::create(inside, loc, place, constant(stride));
      if (stride * size() != loops[n].extent())
        place = arith::RemUIOp::create(inside, loc, place, constant(size()));
      Value one = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::ult,
                                        place, callSize);
      all =
          all ? arith::AndIOp::create(inside, loc, all, one).getResult() : one;
    }
  return all;
}

Value Cloner::maskOf(const PaddedDim &dim, Location loc) {
  for (auto &[known, mask] : masks)
    if (known == dim)
      return mask;
  sizeOfCall();
  Value mask = mapElements(
      builder, loc, RankedTensorType::get(dim.extent(), builder.getI1Type()),
      {}, {}, [&](OpBuilder &inside, Location loc, ValueRange) {
        return isElement(inside, loc, ArrayRef(dim), {0});
      });
  masks.push_back({dim, mask});
  return mask;
}

/// `tensor`, read under `access`, with `neutral` in the padding of the loops
/// `reduced`.
Value Cloner::masked(Value tensor, AffineMap access, ArrayRef<PaddedDim> loops,
                     ArrayRef<unsigned> reduced, TypedAttr neutral) {
  SmallVector<int64_t> places;
  for (auto [n, expr] : llvm::enumerate(access.getResults()))
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      if (llvm::is_contained(reduced, loop.getPosition()))
        places.push_back(n);
  for (const MaskedTensor &known : maskedTensors)
    if (known.tensor == tensor && known.dims == places &&
        known.neutral == neutral)
      return known.result;
  auto type = cast<RankedTensorType>(tensor.getType());
  Location loc = tensor.getLoc();
  SmallVector<Value> inputs = {tensor};
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineMap> maps = {identity};
  for (int64_t place : places) {
    unsigned loop = cast<AffineDimExpr>(access.getResult(place)).getPosition();
    inputs.push_back(maskOf(loops[loop], loc));
    maps.push_back(identity.getSubMap({unsigned(place)}));
  }
  Value result = mapElements(
      builder, loc, type, inputs, maps,
      [&](OpBuilder &inside, Location loc, ValueRange elements) {
        Value other = arith::ConstantOp::create(inside, loc, neutral);
        Value value = elements.front();
        for (Value mask : elements.drop_front())
          value = arith::SelectOp::create(inside, loc, mask, value, other);
        return value;
      });
  maskedTensors.push_back({tensor, places, neutral, result});
  return result;
}

/// Skips conversions that preserve zeros and infinities.
static Value throughCasts(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp, arith::ExtSIOp>(op)) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return value;
}

/// Masks operands so that padding contributes the neutral element. False if no
/// operand is known to suffice.
bool Cloner::maskOperands(linalg::LinalgOp op, ArrayRef<PaddedDim> loops) {
  Block *body = op.getBlock();
  if (op->getNumResults() != 1)
    return false;
  Operation *combiner = getCombiner(*body);
  std::optional<CombinerMatch> match = matchCombiner(*body);
  if (!combiner || !match)
    return false;
  SmallVector<unsigned> reduced;
  for (unsigned n : paddedLoops(loops))
    if (op.getIteratorTypesArray()[n] == utils::IteratorType::reduction)
      reduced.push_back(n);
  auto inputOf = [&](Value value) -> OpOperand * {
    auto argument = dyn_cast<BlockArgument>(throughCasts(value));
    if (!argument || argument.getOwner() != body)
      return nullptr;
    OpOperand *operand = op.getMatchingOpOperand(argument);
    AffineMap access = op.getMatchingIndexingMap(operand);
    auto reads = [&](unsigned loop) {
      return llvm::is_contained(access.getResults(),
                                builder.getAffineDimExpr(loop));
    };
    return op.isDpsInput(operand) && llvm::all_of(reduced, reads) ? operand
                                                                  : nullptr;
  };
  SmallVector<OpOperand *> inputs;
  std::optional<TypedAttr> neutral;
  Operation *product = throughCasts(match->contribution).getDefiningOp();
  if (OpOperand *input = inputOf(match->contribution)) {
    inputs = {input};
    neutral = neutralElement(combiner);
  } else if (match->combiner == Combiner::Sum &&
             isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product)) {
    // Zeros on both sides, because a zero times an infinite factor is NaN.
    inputs = {inputOf(product->getOperand(0)), inputOf(product->getOperand(1))};
    neutral = builder.getZeroAttr(product->getResult(0).getType());
  }
  if (!neutral || llvm::is_contained(inputs, nullptr))
    return false;
  for (OpOperand *input : inputs) {
    Type element = getElementTypeOrSelf(input->get().getType());
    TypedAttr value = *neutral;
    if (auto number = dyn_cast<FloatAttr>(value)) {
      APFloat converted = number.getValue();
      bool lost = false;
      if (!isa<FloatType>(element) ||
          (!number.getValue().isInfinity() && !number.getValue().isZero() &&
           element != number.getType()))
        return false;
      converted.convert(cast<FloatType>(element).getFloatSemantics(),
                        APFloat::rmNearestTiesToEven, &lost);
      value = FloatAttr::get(element, converted);
    } else if (element != value.getType()) {
      if (!isa<IntegerType>(element) ||
          !cast<IntegerAttr>(value).getValue().isZero())
        return false;
      value = builder.getZeroAttr(element);
    }
    input->set(masked(input->get(), op.getMatchingIndexingMap(input), loops,
                      reduced, value));
  }
  return true;
}

LogicalResult Cloner::maskReduction(linalg::LinalgOp &op,
                                    ArrayRef<PaddedDim> loops) {
  SmallVector<unsigned> reduced;
  for (unsigned n : paddedLoops(loops))
    if (op.getIteratorTypesArray()[n] == utils::IteratorType::reduction)
      reduced.push_back(n);
  if (reduced.empty())
    return success();
  result.independent = false;
  sizeOfCall();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(op);
    if (maskOperands(op, loops))
      return success();
  }
  // Keep the accumulators in the body.
  if (failed(generalize(op)))
    return failure();
  Operation *yield = op.getBlock()->getTerminator();
  OpBuilder inside(yield);
  Value element = isElement(inside, op.getLoc(), loops, reduced);
  for (auto [n, value] : llvm::enumerate(yield->getOperands()))
    yield->setOperand(n, arith::SelectOp::create(inside, op.getLoc(), element,
                                                 value,
                                                 op.getRegionOutputArgs()[n]));
  return success();
}

/// Writes `op` as a linalg.generic, because the text of a named op does not
/// show changes of its body.
LogicalResult Cloner::generalize(linalg::LinalgOp &op) {
  if (isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(op))
    return success();
  IRRewriter rewriter(builder);
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      linalg::generalizeNamedOp(rewriter, op);
  if (failed(generic))
    return fail(op) << "it cannot be written as a linalg.generic";
  op = cast<linalg::LinalgOp>(generic->getOperation());
  builder.setInsertionPointAfter(op);
  return success();
}

/// Makes computations on padding harmless: indices out of range, zero divisors,
/// checks.
LogicalResult Cloner::guardBody(linalg::LinalgOp &op,
                                ArrayRef<PaddedDim> loops) {
  SmallVector<unsigned> which = paddedLoops(loops);
  auto isHarmful = [](Operation *inner) {
    return isa<tensor::ExtractOp, cf::AssertOp, arith::DivSIOp, arith::DivUIOp,
               arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
               arith::CeilDivUIOp, arith::FloorDivSIOp, index::DivSOp,
               index::DivUOp, index::RemSOp, index::RemUOp, index::CeilDivSOp,
               index::CeilDivUOp, index::FloorDivSOp>(inner);
  };
  auto isAnywhere = [&](Operation *inner) {
    return isHarmful(inner) ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (which.empty() || !op->walk(isAnywhere).wasInterrupted())
    return success();
  if (failed(generalize(op)))
    return failure();
  SmallVector<Operation *> harmful;
  op->walk([&](Operation *inner) {
    if (isHarmful(inner))
      harmful.push_back(inner);
  });
  sizeOfCall();
  OpBuilder inside(op.getContext());
  inside.setInsertionPointToStart(op.getBlock());
  Location loc = op.getLoc();
  Value element = isElement(inside, loc, loops, which);
  for (Operation *inner : harmful) {
    inside.setInsertionPoint(inner);
    auto otherwise = [&](unsigned n, int64_t value) {
      Type type = inner->getOperand(n).getType();
      Value other =
          arith::ConstantOp::create(inside, loc, IntegerAttr::get(type, value));
      inner->setOperand(n,
                        arith::SelectOp::create(inside, loc, element,
                                                inner->getOperand(n), other));
    };
    if (isa<cf::AssertOp>(inner))
      otherwise(0, 1);
    else if (isa<tensor::ExtractOp>(inner))
      for (unsigned n = 1; n < inner->getNumOperands(); ++n)
        otherwise(n, 0);
    else
      otherwise(1, 1);
  }
  return success();
}
