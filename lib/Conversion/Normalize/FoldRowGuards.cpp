//===- FoldRowGuards.cpp - test a row's maximum for -infinity -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_FOLDROWGUARDSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// True if `value` is the constant -infinity.
static bool isLowest(Value value) {
  FloatAttr constant;
  return matchPattern(value, m_Constant(&constant)) &&
         constant.getValue().isInfinity() && constant.getValue().isNegative();
}

/// The tensor whose elements a generic with the body cmpf oeq compares with
/// -infinity, if `value` is the result of one. Otherwise null.
static Value comparedWithLowest(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      llvm::any_of(op.getIndexingMapsArray(),
                   [](AffineMap map) { return !map.isIdentity(); }))
    return {};
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  auto compare = yielded.getDefiningOp<arith::CmpFOp>();
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::OEQ)
    return {};
  Value x = compare.getLhs(), bound = compare.getRhs();
  if (isLowest(x))
    std::swap(x, bound);
  return x == op.getBlock()->getArgument(0) && isLowest(bound)
             ? op.getDpsInputs()[0]
             : Value();
}

/// True if `op` only reduces one tensor by an op of type `Combiner`, starting
/// from a fill of a value for which `isStart` holds.
template <typename Combiner>
static bool reducesBy(linalg::GenericOp op,
                      llvm::function_ref<bool(Value)> isStart) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return false;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  if (!fill || !isStart(fill.getInputs()[0]))
    return false;
  Block *body = op.getBlock();
  auto combine = body->getTerminator()->getOperand(0).getDefiningOp<Combiner>();
  if (!combine || body->getOperations().size() != 2)
    return false;
  Value in = body->getArgument(0), out = body->getArgument(1);
  return (combine.getLhs() == in && combine.getRhs() == out) ||
         (combine.getLhs() == out && combine.getRhs() == in);
}

/// True if the flags of the maximum exclude neither infinity nor NaN.
static bool hasAnyValue(linalg::GenericOp max) {
  auto combine = cast<arith::MaximumFOp>(max.getBlock()->front());
  return !bitEnumContainsAny(combine.getFastmath(),
                             arith::FastMathFlags::nnan |
                                 arith::FastMathFlags::ninf);
}

/// The maximum of `source` over the loops that `guard` reduces, if it is
/// computed before `guard`. Otherwise null.
static linalg::GenericOp findMaximum(Value source, linalg::GenericOp guard) {
  for (Operation *user : source.getUsers()) {
    auto max = dyn_cast<linalg::GenericOp>(user);
    if (max && max->getBlock() == guard->getBlock() &&
        max->isBeforeInBlock(guard) &&
        reducesBy<arith::MaximumFOp>(max, isLowest) && hasAnyValue(max) &&
        max.getIndexingMapsArray() == guard.getIndexingMapsArray() &&
        max.getIteratorTypesArray() == guard.getIteratorTypesArray())
      return max;
  }
  return {};
}

/// Compares the elements of `maximum` with -infinity.
static Value compareMaximum(IRRewriter &rewriter, linalg::GenericOp guard,
                            Value maximum) {
  Location loc = guard.getLoc();
  auto type = cast<RankedTensorType>(guard.getResult(0).getType());
  auto element = cast<FloatType>(
      cast<RankedTensorType>(maximum.getType()).getElementType());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, maximum),
      type.getElementType());
  Value lowest = arith::ConstantOp::create(
      rewriter, loc,
      rewriter.getFloatAttr(
          element, APFloat::getInf(element.getFloatSemantics(), true)));
  return pruner::mapElements(
      rewriter, loc, empty, maximum,
      rewriter.getMultiDimIdentityMap(type.getRank()),
      [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ,
                                     args[0], lowest);
      });
}

namespace {
struct FoldRowGuards : pruner::impl::FoldRowGuardsPassBase<FoldRowGuards> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::GenericOp> guards;
    auto isTrue = [](Value value) { return matchPattern(value, m_One()); };
    getOperation().walk([&](linalg::GenericOp op) {
      if (reducesBy<arith::AndIOp>(op, isTrue) &&
          cast<RankedTensorType>(op.getResult(0).getType())
              .getElementType()
              .isInteger(1))
        guards.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp guard : guards) {
      Value source = comparedWithLowest(guard.getDpsInputs()[0]);
      linalg::GenericOp maximum =
          source ? findMaximum(source, guard) : linalg::GenericOp();
      if (!maximum)
        continue;
      rewriter.setInsertionPoint(guard);
      rewriter.replaceOp(guard,
                         compareMaximum(rewriter, guard, maximum.getResult(0)));
      ++numFolded;
    }
  }
};
} // namespace
