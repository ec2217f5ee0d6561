//===- IntegerProducts.cpp - sums over integers instead of reals ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "Quantized.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_INTEGERPRODUCTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using pruner::Parameter;
using pruner::Quantized;

namespace {
/// A sum over products of two inputs that are computed from bytes.
struct Product {
  linalg::LinalgOp op;
  std::array<Quantized, 2> factors; ///< By the loops of `op`.
  std::array<AffineMap, 2> maps;    ///< From the loops to the bytes.
};

/// Numbers by which sums are multiplied, as a tensor of f32.
struct Scale {
  Value tensor;
  AffineMap map; ///< From the loops of the product.
};
} // namespace

/// The factor of a product in the body of a sum: an input, possibly extended.
static BlockArgument factorOf(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtSIOp>())
    value = extension.getIn();
  return dyn_cast<BlockArgument>(value);
}

/// True if `op` adds the product of its two inputs to a sum in f32, i32 or i64
/// that starts from zero.
static bool sumsProducts(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || op.getBlock()->getNumArguments() != 3 ||
      !pruner::getCombiner(*op.getBlock()) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
           .isProjectedPermutation())
    return false;
  std::optional<pruner::CombinerMatch> sum =
      pruner::matchCombiner(*op.getBlock());
  if (!sum || sum->combiner != pruner::Combiner::Sum)
    return false;
  Type type = sum->contribution.getType();
  if (!type.isF32() && !type.isInteger(32) && !type.isInteger(64))
    return false;
  Operation *product = sum->contribution.getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return false;
  BlockArgument a = factorOf(product->getOperand(0)),
                b = factorOf(product->getOperand(1));
  if (!a || !b || a.getOwner() != op.getBlock() ||
      b.getOwner() != op.getBlock() || a.getArgNumber() + b.getArgNumber() != 1)
    return false;
  auto fill = op.getDpsInits()[0].getDefiningOp<linalg::FillOp>();
  return fill && (matchPattern(fill.getInputs()[0], m_PosZeroFloat()) ||
                  matchPattern(fill.getInputs()[0], m_Zero()));
}

/// True if no coordinate of `parameter` is a loop of the reduction.
static bool isConstantInReduction(linalg::LinalgOp op,
                                  const Parameter &parameter) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    if (parameter.map && parameter.map.isFunctionOfDim(loop) &&
        (kinds[loop] == utils::IteratorType::reduction ||
         !out.isFunctionOfDim(loop)))
      return false;
  return true;
}

/// Expresses the parameter by the loops of `op`, which reads it at `map`.
static bool readBy(AffineMap map, Parameter &parameter) {
  if (!parameter.map)
    return true;
  parameter.map = parameter.map.compose(map);
  return llvm::all_of(parameter.map.getResults(), [](AffineExpr expr) {
    return isa<AffineDimExpr, AffineConstantExpr>(expr);
  });
}

static std::optional<Product> match(linalg::LinalgOp op) {
  if (!sumsProducts(op))
    return std::nullopt;
  Product result{op, {}, {}};
  int64_t terms = 1;
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  for (auto [extent, kind] : llvm::zip_equal(op.getStaticLoopRanges(), kinds))
    if (kind == utils::IteratorType::reduction)
      terms *= extent;
  for (unsigned n : {0, 1}) {
    OpOperand *operand = op.getDpsInputOperand(n);
    std::optional<Quantized> found = pruner::matchQuantized(operand->get());
    if (!found)
      return std::nullopt;
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [loop, kind] : llvm::enumerate(kinds))
      if (kind == utils::IteratorType::reduction && !map.isFunctionOfDim(loop))
        return std::nullopt;
    if (!readBy(map, found->zeroPoint) ||
        !isConstantInReduction(op, found->zeroPoint) ||
        (found->scale && (!readBy(map, *found->scale) ||
                          !isConstantInReduction(op, *found->scale))))
      return std::nullopt;
    // The product reads copies at their source.
    while (!found->moves.empty() && !found->moves.back().op)
      map = found->moves.pop_back_val().map.compose(map);
    result.maps[n] = map;
    result.factors[n] = std::move(*found);
  }
  // Every loop must still be a coordinate of its own.
  if (!inversePermutation(
          concatAffineMaps({result.maps[0], result.maps[1],
                            op.getMatchingIndexingMap(op.getDpsInitOperand(0))},
                           op.getContext())))
    return std::nullopt;
  // The largest sum; each factor is below 2^25.
  int64_t largest =
      result.factors[0].range.magnitude() * result.factors[1].range.magnitude();
  constexpr int64_t limit = std::numeric_limits<int32_t>::max();
  if (largest > limit || terms > limit || largest * terms > limit)
    return std::nullopt;
  const auto &scales = result.factors;
  if (scales[0].scale && scales[1].scale && scales[0].scale->constant &&
      scales[1].scale->constant) {
    APFloat both = cast<FloatAttr>(scales[0].scale->constant).getValue();
    both.multiply(cast<FloatAttr>(scales[1].scale->constant).getValue(),
                  APFloat::rmNearestTiesToEven);
    if (!both.isNormal())
      return std::nullopt;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The sums in i32, with the zero points in the body.
static Value sumIntegers(RewriterBase &rewriter, const Product &product) {
  linalg::LinalgOp op = product.op;
  Location loc = op.getLoc();
  Type i32 = rewriter.getI32Type();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (unsigned n : {0, 1}) {
    inputs.push_back(product.factors[n].integers(rewriter, loc));
    maps.push_back(product.maps[n]);
  }
  for (const Quantized &factor : product.factors) {
    if (factor.zeroPoint.constant)
      continue;
    inputs.push_back(factor.zeroPoint.tensor(rewriter, loc, i32));
    maps.push_back(
        factor.zeroPoint.map
            ? factor.zeroPoint.map
            : AffineMap::get(op.getNumLoops(), 0, rewriter.getContext()));
  }
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), i32);
  Value start = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  return linalg::GenericOp::create(
             rewriter, loc, start.getType(), inputs, start, maps,
             op.getIteratorTypesArray(),
             [&](OpBuilder &builder, Location loc, ValueRange arguments) {
               std::array<Value, 2> values;
               unsigned next = 2;
               for (unsigned n : {0, 1}) {
                 const Quantized &factor = product.factors[n];
                 Value value = factor.isSigned
                                   ? Value(arith::ExtSIOp::create(
                                         builder, loc, i32, arguments[n]))
                                   : Value(arith::ExtUIOp::create(
                                         builder, loc, i32, arguments[n]));
                 Value zeroPoint;
                 if (!factor.zeroPoint.constant)
                   zeroPoint = arguments[next++];
                 else if (cast<IntegerAttr>(factor.zeroPoint.constant)
                              .getInt() != 0)
                   zeroPoint = factor.zeroPoint.scalar(builder, loc, i32);
                 if (zeroPoint)
                   value =
                       arith::SubIOp::create(builder, loc, value, zeroPoint);
                 values[n] = value;
               }
               Value term =
                   arith::MulIOp::create(builder, loc, values[0], values[1]);
               Value sum =
                   arith::AddIOp::create(builder, loc, arguments.back(), term);
               linalg::YieldOp::create(builder, loc, sum);
             })
      .getResult(0);
}

/// The product of `a` and `b` over the coordinates of `a`, if it has all loops
/// of `b` as coordinates.
static std::optional<Scale> combine(OpBuilder &builder, Location loc,
                                    const Scale &a, const Scale &b) {
  SmallVector<AffineExpr> coordinates;
  for (AffineExpr expr : b.map.getResults()) {
    if (isa<AffineDimExpr>(expr)) {
      std::optional<unsigned> place = a.map.getResultPosition(expr);
      if (!place)
        return std::nullopt;
      expr = builder.getAffineDimExpr(*place);
    }
    coordinates.push_back(expr);
  }
  auto type = cast<RankedTensorType>(a.tensor.getType());
  Value product = pruner::mapElements(
      builder, loc, type, ValueRange{a.tensor, b.tensor},
      {builder.getMultiDimIdentityMap(type.getRank()),
       AffineMap::get(type.getRank(), 0, coordinates, builder.getContext())},
      [](OpBuilder &inner, Location loc, ValueRange elements) -> Value {
        return arith::MulFOp::create(inner, loc, elements[0], elements[1]);
      });
  return Scale{product, a.map};
}

/// The product of `scale` and the number `constant`.
static Scale multiply(OpBuilder &builder, Location loc, const Scale &scale,
                      FloatAttr constant) {
  DenseFPElementsAttr known;
  if (matchPattern(scale.tensor, m_Constant(&known))) {
    auto product = known.mapValues(
        builder.getF32Type(), [&](const APFloat &number) -> APInt {
          return (number * constant.getValue()).bitcastToAPInt();
        });
    return {arith::ConstantOp::create(builder, loc, product), scale.map};
  }
  Value number = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get({}, builder.getF32Type()),
                             constant.getValue()));
  AffineMap nowhere =
      AffineMap::get(scale.map.getNumDims(), 0, builder.getContext());
  return *combine(builder, loc, scale, {number, nowhere});
}

/// The scales that are not constant, combined to one if possible, with the
/// constant scale among them.
static SmallVector<Scale> scalesOf(OpBuilder &builder, const Product &product) {
  linalg::LinalgOp op = product.op;
  SmallVector<Scale> scales;
  FloatAttr constant;
  for (const Quantized &factor : product.factors) {
    if (!factor.scale)
      continue;
    if (factor.scale->constant)
      constant = cast<FloatAttr>(factor.scale->constant);
    else
      scales.push_back(
          {factor.scale->tensor(builder, op.getLoc(), builder.getF32Type()),
           factor.scale->map
               ? factor.scale->map
               : AffineMap::get(op.getNumLoops(), 0, builder.getContext())});
  }
  if (constant && scales.size() == 1)
    return {multiply(builder, op.getLoc(), scales[0], constant)};
  if (scales.size() == 2) {
    auto both = combine(builder, op.getLoc(), scales[0], scales[1]);
    if (!both)
      both = combine(builder, op.getLoc(), scales[1], scales[0]);
    if (both)
      return {*both};
  }
  return scales;
}

/// The real numbers that the sums stand for, in the type of the former op.
static Value scaleSums(RewriterBase &rewriter, const Product &product,
                       Value sums) {
  linalg::LinalgOp op = product.op;
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  if (sums.getType() == type)
    return sums;
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<Value> inputs{sums};
  SmallVector<AffineMap> maps{identity};
  SmallVector<Scale> scales = scalesOf(rewriter, product);
  FloatAttr constant;
  for (const Quantized &factor : product.factors) {
    if (!factor.scale || !factor.scale->constant || !scales.empty())
      continue;
    APFloat number = cast<FloatAttr>(factor.scale->constant).getValue();
    if (constant)
      number.multiply(constant.getValue(), APFloat::rmNearestTiesToEven);
    constant = rewriter.getFloatAttr(element, number);
  }
  for (const Scale &scale : scales) {
    SmallVector<AffineExpr> coordinates;
    for (AffineExpr expr : scale.map.getResults())
      coordinates.push_back(
          isa<AffineDimExpr>(expr)
              ? rewriter.getAffineDimExpr(*out.getResultPosition(expr))
              : expr);
    inputs.push_back(scale.tensor);
    maps.push_back(
        AffineMap::get(type.getRank(), 0, coordinates, rewriter.getContext()));
  }
  return pruner::mapElements(
      rewriter, loc, type, inputs, maps,
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        Value value = elements[0];
        if (isa<FloatType>(element))
          value = arith::SIToFPOp::create(builder, loc, element, value);
        else
          value = arith::ExtSIOp::create(builder, loc, element, value);
        if (constant) {
          Value scale = arith::ConstantOp::create(builder, loc, constant);
          value = arith::MulFOp::create(builder, loc, value, scale);
        }
        for (Value scale : elements.drop_front())
          value = arith::MulFOp::create(builder, loc, value, scale);
        return value;
      });
}

namespace {
struct IntegerProducts
    : pruner::impl::IntegerProductsPassBase<IntegerProducts> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      std::optional<Product> product = match(op);
      if (!product)
        continue;
      rewriter.setInsertionPoint(op);
      Value sums = sumIntegers(rewriter, *product);
      rewriter.replaceOp(op, scaleSums(rewriter, *product, sums));
      ++numProducts;
    }
  }
};
} // namespace
