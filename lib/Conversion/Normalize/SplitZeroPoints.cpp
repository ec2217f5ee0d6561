//===- SplitZeroPoints.cpp - subtract zero points behind the sum ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_SPLITZEROPOINTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// A factor of a sum of products: an extended input less a constant.
struct Factor {
  BlockArgument element;
  Operation *extension;
  APInt zeroPoint;
};

/// A product of sums: (x - zx) (y - zy), accumulated modulo a power of two.
struct ZeroPointProduct {
  Operation *product;
  std::array<Factor, 2> factors;
};
} // namespace

static std::optional<Factor> matchFactor(Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type)
    return std::nullopt;
  APInt zeroPoint(type.getWidth(), 0);
  if (auto difference = value.getDefiningOp<arith::SubIOp>()) {
    if (!matchPattern(difference.getRhs(), m_ConstantInt(&zeroPoint)))
      return std::nullopt;
    value = difference.getLhs();
  } else if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
    if (!matchPattern(sum.getRhs(), m_ConstantInt(&zeroPoint)))
      return std::nullopt;
    zeroPoint.negate();
    value = sum.getLhs();
  }
  Operation *extension = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension))
    return std::nullopt;
  auto element = dyn_cast<BlockArgument>(extension->getOperand(0));
  if (!element)
    return std::nullopt;
  return Factor{element, extension, zeroPoint};
}

static std::optional<ZeroPointProduct> match(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      op.hasDynamicShape() || !pruner::getCombiner(*op.getBlock()))
    return std::nullopt;
  std::optional<pruner::CombinerMatch> sum =
      pruner::matchCombiner(*op.getBlock());
  if (!sum || sum->combiner != pruner::Combiner::Sum)
    return std::nullopt;
  auto product = sum->contribution.getDefiningOp<arith::MulIOp>();
  if (!product ||
      product.getOverflowFlags() != arith::IntegerOverflowFlags::none)
    return std::nullopt;
  auto a = matchFactor(product.getLhs()), b = matchFactor(product.getRhs());
  if (!a || !b || a->element == b->element ||
      (a->zeroPoint.isZero() && b->zeroPoint.isZero()))
    return std::nullopt;
  return ZeroPointProduct{product, {*a, *b}};
}

/// The map of the sums of a factor along the reduction, from the coordinates of
/// the result. None if the factor has a window, lacks a reduction loop, or
/// another result than one loop per coordinate.
static std::optional<AffineMap> mapOfSums(linalg::GenericOp op,
                                          const Factor &factor) {
  AffineMap map = op.getMatchingIndexingMap(
                op.getDpsInputOperand(factor.element.getArgNumber())),
            out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!map.isProjectedPermutation() || !out.isProjectedPermutation())
    return std::nullopt;
  SmallVector<AffineExpr> coordinates;
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool reduces = kind == utils::IteratorType::reduction;
    if (reduces && !map.isFunctionOfDim(loop))
      return std::nullopt;
  }
  for (AffineExpr expr : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    if (op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction)
      continue;
    std::optional<unsigned> place = out.getResultPosition(expr);
    if (!place)
      return std::nullopt;
    coordinates.push_back(getAffineDimExpr(*place, op.getContext()));
  }
  return AffineMap::get(out.getNumResults(), 0, coordinates, op.getContext());
}

/// The sums of an extended input along the reduction.
static Value sumsOf(OpBuilder &builder, linalg::GenericOp op,
                    const Factor &factor) {
  Location loc = op.getLoc();
  OpOperand *input = op.getDpsInputOperand(factor.element.getArgNumber());
  AffineMap map = op.getMatchingIndexingMap(input);
  auto type = cast<RankedTensorType>(input->get().getType());
  SmallVector<utils::IteratorType> kinds;
  SmallVector<AffineExpr> kept;
  SmallVector<int64_t> shape;
  for (auto [r, expr] : llvm::enumerate(map.getResults())) {
    kinds.push_back(
        op.getIteratorTypesArray()[cast<AffineDimExpr>(expr).getPosition()]);
    if (kinds.back() == utils::IteratorType::reduction)
      continue;
    kept.push_back(builder.getAffineDimExpr(r));
    shape.push_back(type.getDimSize(r));
  }
  Type element = factor.extension->getResult(0).getType();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  Value empty = tensor::EmptyOp::create(builder, loc, shape, element);
  Value start = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  unsigned rank = type.getRank();
  return linalg::GenericOp::create(
             builder, loc, start.getType(), input->get(), start,
             ArrayRef<AffineMap>{
                 builder.getMultiDimIdentityMap(rank),
                 AffineMap::get(rank, 0, kept, builder.getContext())},
             kinds,
             [&](OpBuilder &inner, Location loc, ValueRange arguments) {
               IRMapping mapping;
               mapping.map(factor.element, arguments[0]);
               Operation *extended = inner.clone(*factor.extension, mapping);
               Value sum = arith::AddIOp::create(inner, loc, arguments[1],
                                                 extended->getResult(0));
               linalg::YieldOp::create(inner, loc, sum);
             })
      .getResult(0);
}

/// Rewrites `op` if the sums that it needs can be computed apart.
static bool split(IRRewriter &rewriter, linalg::GenericOp op) {
  std::optional<ZeroPointProduct> found = match(op);
  if (!found)
    return false;
  Operation *product = found->product;
  const std::array<Factor, 2> &factors = found->factors;
  // The zero point of one factor multiplies the sums of the other.
  std::array<std::optional<AffineMap>, 2> maps;
  for (unsigned n : {0, 1})
    if (!factors[1 - n].zeroPoint.isZero() &&
        !(maps[n] = mapOfSums(op, factors[n])))
      return false;
  int64_t terms = 1;
  for (auto [extent, kind] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    terms *= kind == utils::IteratorType::reduction ? extent : 1;

  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<Value> inputs{op->getResult(0)};
  SmallVector<AffineMap> inputMaps{identity};
  SmallVector<APInt> scales;
  for (unsigned n : {0, 1})
    if (maps[n]) {
      inputs.push_back(sumsOf(rewriter, op, factors[n]));
      inputMaps.push_back(*maps[n]);
      scales.push_back(factors[1 - n].zeroPoint);
    }
  APInt constant = factors[0].zeroPoint * factors[1].zeroPoint *
                   APInt(type.getElementTypeBitWidth(), uint64_t(terms),
                         /*isSigned=*/false, /*implicitTrunc=*/true);
  Type element = type.getElementType();
  auto number = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(rewriter, loc,
                                     IntegerAttr::get(element, value));
  };
  SmallVector<Value> scaleValues = llvm::map_to_vector(scales, number);
  Value offset = constant.isZero() ? Value() : number(constant);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, type.getShape(), element);
  inputMaps.push_back(identity);

  rewriter.modifyOpInPlace(op, [&] {
    for (auto [n, factor] : llvm::enumerate(factors)) {
      Operation *shifted = product->getOperand(n).getDefiningOp();
      product->setOperand(n, factor.extension->getResult(0));
      if (shifted->use_empty())
        rewriter.eraseOp(shifted);
    }
  });
  rewriter.setInsertionPointAfter(op);
  auto corrected = linalg::GenericOp::create(
      rewriter, loc, type, inputs, empty, inputMaps,
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value value = arguments[0];
        for (auto [n, scale] : llvm::enumerate(scaleValues)) {
          Value part =
              arith::MulIOp::create(builder, loc, arguments[n + 1], scale);
          value = arith::SubIOp::create(builder, loc, value, part);
        }
        if (offset)
          value = arith::AddIOp::create(builder, loc, value, offset);
        linalg::YieldOp::create(builder, loc, value);
      });
  rewriter.replaceAllUsesExcept(op->getResult(0), corrected.getResult(0),
                                corrected);
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
