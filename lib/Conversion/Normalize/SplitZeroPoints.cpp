//===- SplitZeroPoints.cpp - subtract zero points after the sum -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_SPLITZEROPOINTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// The number that is subtracted from a factor: a constant, or one that is
/// computed and does not depend on the reduction.
struct ZeroPoint {
  APInt constant;
  Value tensor;  ///< Null for a constant.
  AffineMap map; ///< From the coordinates of the result to the tensor.

  bool isZero() const { return !tensor && constant.isZero(); }
};

/// A factor of a sum of products: an extended input less a zero point.
struct Factor {
  BlockArgument element;
  Operation *extension;
  ZeroPoint zeroPoint;
};

/// A sum of (x - p) (y - q), accumulated modulo a power of two.
struct ZeroPointProduct {
  linalg::GenericOp op;
  std::array<Factor, 2> factors;
};

/// A tensor, and the coordinates at which the result reads it.
struct Term {
  Value tensor;
  AffineMap map;
};
} // namespace

static bool isReduction(linalg::GenericOp op, unsigned loop) {
  return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
}

static AffineMap resultMap(linalg::GenericOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

static std::optional<ZeroPoint> matchZeroPoint(linalg::GenericOp op,
                                               Value value, bool negated) {
  ZeroPoint result{APInt(value.getType().getIntOrFloatBitWidth(), 0), {}, {}};
  if (matchPattern(value, m_ConstantInt(&result.constant))) {
    if (negated)
      result.constant.negate();
    return result;
  }
  AffineMap out = resultMap(op);
  auto argument = dyn_cast<BlockArgument>(value);
  if (negated)
    return std::nullopt;
  if (!op.getRegion().isAncestor(value.getParentRegion())) {
    result.tensor = value; // A scalar.
    result.map = AffineMap::get(out.getNumResults(), 0, op.getContext());
    return result;
  }
  if (!argument || argument.getOwner() != op.getBody())
    return std::nullopt;
  OpOperand *operand = op.getMatchingOpOperand(argument);
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (!op.isDpsInput(operand))
    return std::nullopt;
  SmallVector<AffineExpr> coordinates;
  for (AffineExpr expr : map.getResults()) {
    if (isa<AffineDimExpr>(expr)) {
      std::optional<unsigned> place = out.getResultPosition(expr);
      if (!place)
        return std::nullopt;
      expr = getAffineDimExpr(*place, op.getContext());
    } else if (!isa<AffineConstantExpr>(expr)) {
      return std::nullopt;
    }
    coordinates.push_back(expr);
  }
  result.tensor = operand->get();
  result.map =
      AffineMap::get(out.getNumResults(), 0, coordinates, op.getContext());
  return result;
}

static std::optional<Factor> matchFactor(linalg::GenericOp op, Value value) {
  if (!isa<IntegerType>(value.getType()))
    return std::nullopt;
  ZeroPoint zeroPoint{
      APInt(value.getType().getIntOrFloatBitWidth(), 0), {}, {}};
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<arith::SubIOp, arith::AddIOp>(def)) {
    std::optional<ZeroPoint> found = matchZeroPoint(
        op, def->getOperand(1), /*negated=*/isa<arith::AddIOp>(def));
    if (!found)
      return std::nullopt;
    zeroPoint = *found;
    def = def->getOperand(0).getDefiningOp();
  }
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(def))
    return std::nullopt;
  auto element = dyn_cast<BlockArgument>(def->getOperand(0));
  if (!element || element.getOwner() != op.getBody() ||
      element.getArgNumber() >= op.getNumDpsInputs())
    return std::nullopt;
  return Factor{element, def, zeroPoint};
}

static std::optional<ZeroPointProduct> match(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() < 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasDynamicShape() || !pruner::getCombiner(*op.getBlock()) ||
      !resultMap(op).isProjectedPermutation())
    return std::nullopt;
  std::optional<pruner::CombinerMatch> sum =
      pruner::matchCombiner(*op.getBlock());
  if (!sum || sum->combiner != pruner::Combiner::Sum)
    return std::nullopt;
  auto product = sum->contribution.getDefiningOp<arith::MulIOp>();
  if (!product ||
      product.getOverflowFlags() != arith::IntegerOverflowFlags::none)
    return std::nullopt;
  auto a = matchFactor(op, product.getLhs()),
       b = matchFactor(op, product.getRhs());
  if (!a || !b || a->element == b->element ||
      (a->zeroPoint.isZero() && b->zeroPoint.isZero()))
    return std::nullopt;
  return ZeroPointProduct{op, {*a, *b}};
}

//===----------------------------------------------------------------------===//
// Sums of one factor
//===----------------------------------------------------------------------===//

/// True if the sums of `factor` along the reduction depend on coordinates of
/// the result only.
static bool canSum(linalg::GenericOp op, const Factor &factor) {
  AffineMap map = op.getMatchingIndexingMap(
                op.getDpsInputOperand(factor.element.getArgNumber())),
            out = resultMap(op);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (isReduction(op, loop)
            ? !map.isFunctionOfDim(loop)
            : map.isFunctionOfDim(loop) && !out.isFunctionOfDim(loop))
      return false;
  return true;
}

/// The sums of the elements of `input`, which `extension` extends if it is not
/// null, over `kinds` of loops, read at `map`.
static Value sum(OpBuilder &builder, Location loc, Value input,
                 Operation *extension, Type element, AffineMap map,
                 ArrayRef<utils::IteratorType> kinds,
                 ArrayRef<int64_t> extents) {
  SmallVector<AffineExpr> kept;
  SmallVector<int64_t> shape, window;
  SmallVector<AffineExpr> windowLoops;
  for (auto [loop, kind] : llvm::enumerate(kinds)) {
    if (kind == utils::IteratorType::parallel) {
      kept.push_back(builder.getAffineDimExpr(loop));
      shape.push_back(extents[loop]);
    } else if (!map.getResultPosition(builder.getAffineDimExpr(loop))) {
      windowLoops.push_back(builder.getAffineDimExpr(loop));
      window.push_back(extents[loop]);
    }
  }
  MLIRContext *context = builder.getContext();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  Value empty = tensor::EmptyOp::create(builder, loc, shape, element);
  Value start = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  SmallVector<Value> inputs{input};
  SmallVector<AffineMap> maps{map};
  if (!window.empty()) {
    // As in a pooling, a tensor without content has the extents of the window.
    inputs.push_back(tensor::EmptyOp::create(builder, loc, window, element));
    maps.push_back(AffineMap::get(kinds.size(), 0, windowLoops, context));
  }
  maps.push_back(AffineMap::get(kinds.size(), 0, kept, context));
  return linalg::GenericOp::create(
             builder, loc, start.getType(), inputs, start, maps, kinds,
             [&](OpBuilder &inner, Location loc, ValueRange arguments) {
               Value value = arguments[0];
               if (extension) {
                 IRMapping mapping;
                 mapping.map(extension->getOperand(0), value);
                 value = inner.clone(*extension, mapping)->getResult(0);
               }
               Value total =
                   arith::AddIOp::create(inner, loc, arguments.back(), value);
               linalg::YieldOp::create(inner, loc, total);
             })
      .getResult(0);
}

/// The sums of an extended input along the reduction. Loops of the reduction
/// that are coordinates of their own, such as channels, are summed first, so
/// that windows only add these sums.
static Term sumsOf(OpBuilder &builder, linalg::GenericOp op,
                   const Factor &factor) {
  using utils::IteratorType;
  Location loc = op.getLoc();
  MLIRContext *context = builder.getContext();
  OpOperand *input = op.getDpsInputOperand(factor.element.getArgNumber());
  AffineMap map = op.getMatchingIndexingMap(input), out = resultMap(op);
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(input->get().getType()).getShape();
  Type element = factor.extension->getResult(0).getType();
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  Value value = input->get();
  Operation *extension = factor.extension;

  // The first step, over the coordinates of the input.
  SmallVector<IteratorType> kinds;
  SmallVector<AffineExpr> left;
  for (auto [place, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    bool sums = dim && isReduction(op, dim.getPosition()) &&
                extents[dim.getPosition()] == shape[place] &&
                llvm::count_if(map.getResults(), [&](AffineExpr other) {
                  return other.isFunctionOfDim(dim.getPosition());
                }) == 1;
    kinds.push_back(sums ? IteratorType::reduction : IteratorType::parallel);
    if (!sums)
      left.push_back(expr);
  }
  if (llvm::is_contained(kinds, IteratorType::reduction)) {
    value = sum(builder, loc, value, extension, element,
                builder.getMultiDimIdentityMap(shape.size()), kinds, shape);
    extension = nullptr;
  }

  // The second one, over the loops that are left.
  AffineMap leftMap = AffineMap::get(op.getNumLoops(), 0, left, context);
  SmallVector<AffineExpr> loops(op.getNumLoops(),
                                builder.getAffineConstantExpr(0));
  SmallVector<AffineExpr> coordinates, read;
  SmallVector<int64_t> leftExtents;
  SmallVector<IteratorType> leftKinds;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (!leftMap.isFunctionOfDim(loop))
      continue;
    loops[loop] = builder.getAffineDimExpr(leftKinds.size());
    leftKinds.push_back(op.getIteratorTypesArray()[loop]);
    leftExtents.push_back(extents[loop]);
    if (!isReduction(op, loop))
      coordinates.push_back(builder.getAffineDimExpr(
          *out.getResultPosition(builder.getAffineDimExpr(loop))));
  }
  if (llvm::is_contained(leftKinds, IteratorType::reduction) || extension) {
    value = sum(builder, loc, value, extension, element,
                leftMap.replaceDimsAndSymbols(loops, {}, leftKinds.size(), 0),
                leftKinds, leftExtents);
  } else {
    // Every coordinate that is left is a parallel loop, in the order of the
    // input.
    coordinates.clear();
    for (AffineExpr expr : left) {
      if (isa<AffineDimExpr>(expr))
        expr = builder.getAffineDimExpr(*out.getResultPosition(expr));
      coordinates.push_back(expr);
    }
  }
  return {value, AffineMap::get(out.getNumResults(), 0, coordinates, context)};
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The sum of the products without zero points.
static Value sumProducts(OpBuilder &builder, const ZeroPointProduct &product) {
  linalg::GenericOp op = product.op;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Factor &factor : product.factors) {
    OpOperand *input = op.getDpsInputOperand(factor.element.getArgNumber());
    inputs.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input));
  }
  maps.push_back(resultMap(op));
  return linalg::GenericOp::create(
             builder, op.getLoc(), op->getResult(0).getType(), inputs,
             op.getDpsInits()[0], maps, op.getIteratorTypesArray(),
             [&](OpBuilder &inner, Location loc, ValueRange arguments) {
               std::array<Value, 2> values;
               for (unsigned n : {0, 1}) {
                 Operation *extension = product.factors[n].extension;
                 IRMapping mapping;
                 mapping.map(extension->getOperand(0), arguments[n]);
                 values[n] = inner.clone(*extension, mapping)->getResult(0);
               }
               Value term =
                   arith::MulIOp::create(inner, loc, values[0], values[1]);
               Value total =
                   arith::AddIOp::create(inner, loc, arguments.back(), term);
               linalg::YieldOp::create(inner, loc, total);
             })
      .getResult(0);
}

/// Rewrites `op` if the sums that it needs can be computed apart.
static bool split(IRRewriter &rewriter, linalg::GenericOp op) {
  std::optional<ZeroPointProduct> found = match(op);
  if (!found)
    return false;
  std::array<Factor, 2> &factors = found->factors;
  // The zero point of one factor multiplies the sums of the other.
  for (unsigned n : {0, 1})
    if (!factors[1 - n].zeroPoint.isZero() && !canSum(op, factors[n]))
      return false;
  int64_t terms = 1;
  for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges()))
    terms *= isReduction(op, loop) ? extent : 1;

  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  // The product comes after the sums, because an epilogue that has several
  // reductions as operands belongs to the last one.
  std::array<std::optional<Term>, 2> parts;
  for (unsigned n : {0, 1})
    if (!factors[1 - n].zeroPoint.isZero())
      parts[n] = sumsOf(rewriter, op, factors[n]);
  // Operands of the correction: the sum, then sums of factors and zero points.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  auto read = [&](Value tensor, AffineMap map) {
    if (!isa<RankedTensorType>(tensor.getType()))
      tensor = tensor::FromElementsOp::create(
          rewriter, loc, RankedTensorType::get({}, element), tensor);
    inputs.push_back(tensor);
    maps.push_back(map);
    return inputs.size() - 1;
  };
  read(sumProducts(rewriter, *found), identity);
  std::array<std::optional<unsigned>, 2> sums, zeroPoints;
  for (unsigned n : {0, 1})
    if (parts[n])
      sums[n] = read(parts[n]->tensor, parts[n]->map);
  for (unsigned n : {0, 1})
    if (factors[n].zeroPoint.tensor)
      zeroPoints[n] =
          read(factors[n].zeroPoint.tensor, factors[n].zeroPoint.map);
  APInt count(element.getIntOrFloatBitWidth(), uint64_t(terms),
              /*isSigned=*/false, /*implicitTrunc=*/true);
  Value corrected = pruner::mapElements(
      rewriter, loc, type, inputs, maps,
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        auto number = [&](const APInt &value) -> Value {
          return arith::ConstantOp::create(builder, loc,
                                           IntegerAttr::get(element, value));
        };
        auto zeroPoint = [&](unsigned n) {
          return zeroPoints[n] ? arguments[*zeroPoints[n]]
                               : number(factors[n].zeroPoint.constant);
        };
        Value value = arguments[0];
        for (unsigned n : {0, 1}) {
          if (!sums[n])
            continue;
          Value share = arith::MulIOp::create(builder, loc, arguments[*sums[n]],
                                              zeroPoint(1 - n));
          value = arith::SubIOp::create(builder, loc, value, share);
        }
        Value offset;
        if (!zeroPoints[0] && !zeroPoints[1]) {
          APInt constant = factors[0].zeroPoint.constant *
                           factors[1].zeroPoint.constant * count;
          if (!constant.isZero())
            offset = number(constant);
        } else if (sums[0] && sums[1]) {
          offset =
              arith::MulIOp::create(builder, loc, zeroPoint(0), zeroPoint(1));
          offset = arith::MulIOp::create(builder, loc, offset, number(count));
        }
        if (offset)
          value = arith::AddIOp::create(builder, loc, value, offset);
        return value;
      });
  rewriter.replaceOp(op, corrected);
  return true;
}

namespace {
struct SplitZeroPoints
    : pruner::impl::SplitZeroPointsPassBase<SplitZeroPoints> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : ops)
      numSplit += split(rewriter, op);
  }
};
} // namespace
