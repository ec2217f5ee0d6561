//===- Quantized.cpp - the integers of a dequantized tensor ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Quantized.h"

#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using pruner::checked;
using pruner::IntegerRange;
using pruner::Move;
using pruner::Parameter;
using pruner::Quantized;
using pruner::rangeOf;
using pruner::rangeOfType;

/// Floats of 32 bits hold all integers up to this magnitude.
static constexpr int64_t kExactInF32 = int64_t(1) << 24;

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

/// Expresses `quantized`, whose parameters depend on coordinates before a move,
/// by coordinates after it: `before` maps the latter to the former. A
/// coordinate that does not exist after the move is null, or a sum.
static bool moveParameters(Quantized &quantized, ArrayRef<AffineExpr> before,
                           unsigned rank) {
  auto move = [&](Parameter &parameter) {
    if (!parameter.map)
      return true;
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : parameter.map.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        expr = before[dim.getPosition()];
      if (!isa_and_nonnull<AffineDimExpr, AffineConstantExpr>(expr))
        return false;
      results.push_back(expr);
    }
    MLIRContext *context = parameter.map.getContext();
    parameter.map = AffineMap::get(rank, 0, results, context);
    return true;
  };
  return move(quantized.zeroPoint) &&
         (!quantized.scale || move(*quantized.scale));
}

/// `map` from the coordinates of a tensor of `shape` to those of one of extents
/// `before`, where a coordinate that is always zero is a dimension of extent
/// one if possible. The exporters' maps have constants there.
static AffineMap withUnitDims(AffineMap map, ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> before) {
  SmallVector<AffineExpr> results(map.getResults());
  llvm::SmallBitVector used(shape.size());
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    used[dim] = map.isFunctionOfDim(dim);
  auto isFree = [&](unsigned dim) { return shape[dim] == 1 && !used[dim]; };
  for (auto [place, expr] : llvm::enumerate(results)) {
    if (!isa<AffineConstantExpr>(expr) || before[place] != 1)
      continue;
    unsigned dim = place;
    if (dim >= shape.size() || !isFree(dim))
      for (dim = 0; dim < shape.size() && !isFree(dim); ++dim) {
      }
    if (dim == shape.size())
      continue;
    used.set(dim);
    expr = getAffineDimExpr(dim, map.getContext());
  }
  return AffineMap::get(shape.size(), 0, results, map.getContext());
}

/// Appends a copy of a tensor of extents `before`. Its coordinates `map` leads
/// to those before it.
static bool copy(Quantized &quantized, AffineMap map, ArrayRef<int64_t> shape,
                 ArrayRef<int64_t> before) {
  map = withUnitDims(map, shape, before);
  if (!moveParameters(quantized, map.getResults(), map.getNumDims()))
    return false;
  if (!map.isIdentity())
    quantized.moves.push_back({nullptr, map, SmallVector<int64_t>(shape)});
  return true;
}

/// The coordinates of the tensor with `large` dimensions by those of the small
/// one, where each of the latter stands for one of `groups`. A dimension whose
/// neighbors in the group have extent one is the whole group.
static SmallVector<AffineExpr>
coordinatesOfGroups(ArrayRef<ReassociationIndices> groups,
                    ArrayRef<int64_t> large, MLIRContext *context) {
  SmallVector<AffineExpr> result(large.size());
  for (auto [small, group] : llvm::enumerate(groups)) {
    unsigned extended =
        llvm::count_if(group, [&](int64_t dim) { return large[dim] != 1; });
    for (int64_t dim : group) {
      if (large[dim] == 1)
        result[dim] = getAffineConstantExpr(0, context);
      else if (extended == 1)
        result[dim] = getAffineDimExpr(small, context);
    }
  }
  return result;
}

/// The same for the small tensor by the coordinates of the large one.
static SmallVector<AffineExpr>
coordinatesOfDims(ArrayRef<ReassociationIndices> groups,
                  ArrayRef<int64_t> large, MLIRContext *context) {
  SmallVector<AffineExpr> result;
  for (const ReassociationIndices &group : groups) {
    SmallVector<int64_t> extended = llvm::filter_to_vector(
        group, [&](int64_t dim) { return large[dim] != 1; });
    if (extended.empty())
      result.push_back(getAffineConstantExpr(0, context));
    else if (extended.size() == 1)
      result.push_back(getAffineDimExpr(extended[0], context));
    else
      result.push_back({});
  }
  return result;
}

/// Only padding with the number zero, around dimensions that no parameter
/// depends on, and only if a byte can be the zero point.
static bool pad(Quantized &quantized, tensor::PadOp op) {
  Value padding = op.getConstantPaddingValue();
  auto isNegative = [](int64_t amount) { return amount < 0; };
  if (!padding ||
      !(matchPattern(padding, m_AnyZeroFloat()) ||
        matchPattern(padding, m_Zero())) ||
      ShapedType::isDynamicShape(op.getStaticLow()) ||
      ShapedType::isDynamicShape(op.getStaticHigh()) ||
      llvm::any_of(op.getStaticLow(), isNegative) ||
      llvm::any_of(op.getStaticHigh(), isNegative) ||
      !quantized.zeroPoint.isUniform())
    return false;
  IntegerRange bytes = rangeOfType(8, quantized.isSigned);
  if (quantized.zeroPoints.low < bytes.low ||
      quantized.zeroPoints.high > bytes.high)
    return false;
  SmallVector<AffineExpr> before;
  for (unsigned dim = 0; dim < op.getSourceType().getRank(); ++dim) {
    bool pads = op.getStaticLow()[dim] != 0 || op.getStaticHigh()[dim] != 0;
    before.push_back(pads ? AffineExpr()
                          : getAffineDimExpr(dim, op.getContext()));
  }
  // A uniform tensor has one element, wherever it is read.
  if (quantized.zeroPoint.map)
    quantized.zeroPoint.map = AffineMap::get(
        before.size(), 0,
        SmallVector<AffineExpr>(quantized.zeroPoint.map.getNumResults(),
                                getAffineConstantExpr(0, op.getContext())),
        op.getContext());
  if (!moveParameters(quantized, before, before.size()))
    return false;
  quantized.range.low = std::min<int64_t>(quantized.range.low, 0);
  quantized.range.high = std::max<int64_t>(quantized.range.high, 0);
  quantized.moves.push_back({op, {}, {}});
  return true;
}

static bool slice(Quantized &quantized, tensor::ExtractSliceOp op) {
  if (!op.getType().hasStaticShape() || !op.getSourceType().hasStaticShape() ||
      ShapedType::isDynamicShape(op.getStaticSizes()))
    return false;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<AffineExpr> before;
  unsigned result = 0;
  for (unsigned dim = 0; dim < op.getSourceType().getRank(); ++dim) {
    bool whole = op.getStaticSizes()[dim] == op.getSourceType().getDimSize(dim);
    before.push_back(whole && !dropped[dim]
                         ? getAffineDimExpr(result, op.getContext())
                     : whole ? getAffineConstantExpr(0, op.getContext())
                             : AffineExpr());
    result += !dropped[dim];
  }
  if (!moveParameters(quantized, before, result))
    return false;
  quantized.moves.push_back({op, {}, {}});
  return true;
}

Value Quantized::integers(OpBuilder &builder, Location loc) const {
  Value value = source;
  Type element = cast<RankedTensorType>(source.getType()).getElementType();
  for (const Move &move : moves) {
    if (!move.op) {
      value = pruner::mapElements(
          builder, loc, RankedTensorType::get(move.shape, element), value,
          move.map, [](OpBuilder &, Location, ValueRange elements) {
            return elements[0];
          });
      continue;
    }
    auto type =
        cast<RankedTensorType>(move.op->getResult(0).getType()).clone(element);
    if (auto pad = dyn_cast<tensor::PadOp>(move.op)) {
      Value padding = zeroPoint.scalar(builder, loc, element);
      value = tensor::PadOp::create(builder, loc, cast<RankedTensorType>(type),
                                    value, pad.getMixedLowPad(),
                                    pad.getMixedHighPad(), padding,
                                    pad.getNofold());
      continue;
    }
    IRMapping mapping;
    mapping.map(move.op->getOperand(0), value);
    Operation *moved = builder.clone(*move.op, mapping);
    moved->getResult(0).setType(type);
    value = moved->getResult(0);
  }
  return value;
}

//===----------------------------------------------------------------------===//
// The arithmetic
//===----------------------------------------------------------------------===//

/// Subtracts `parameter` (or adds it) from the elements, which have no scale.
static bool subtract(Quantized &quantized, Parameter parameter,
                     std::optional<IntegerRange> range, bool adds, Type type) {
  TypedAttr &known = quantized.zeroPoint.constant;
  if (!known)
    return false; // Two zero points, the first of which is not constant.
  int64_t before = cast<IntegerAttr>(known).getInt();
  if (parameter.constant) {
    int64_t amount;
    if (auto real = dyn_cast<FloatAttr>(parameter.constant)) {
      APSInt integer(64, /*isUnsigned=*/false);
      bool isExact = false;
      if (real.getValue().convertToInteger(integer, APFloat::rmTowardZero,
                                           &isExact) != APFloat::opOK ||
          !isExact)
        return false;
      amount = integer.getExtValue();
    } else {
      amount = cast<IntegerAttr>(parameter.constant).getInt();
    }
    if (std::abs(amount) > kExactInF32)
      return false;
    if (adds)
      amount = -amount;
    range = IntegerRange{amount, amount};
    known = IntegerAttr::get(IntegerType::get(type.getContext(), 64),
                             before + amount);
    quantized.zeroPoints = {before + amount, before + amount};
  } else {
    if (adds || before != 0 || !range || range->magnitude() > kExactInF32)
      return false;
    quantized.zeroPoint = std::move(parameter);
    quantized.zeroPoints = *range;
  }
  quantized.range = {quantized.range.low - range->high,
                     quantized.range.high - range->low};
  if (quantized.range.magnitude() > kExactInF32)
    return false;
  return isa<FloatType>(type) || checked(quantized.range, type);
}

static ArrayRef<int64_t> shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

/// What `value`, in the body of the elementwise `op`, is by the loops of `op`.
static std::optional<Quantized> matchBody(linalg::LinalgOp op, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != op.getBlock())
      return std::nullopt;
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (!op.isDpsInput(operand) || value.getType().isInteger(8) ||
        !isa<RankedTensorType>(operand->get().getType()))
      return std::nullopt;
    std::optional<Quantized> result = pruner::matchQuantized(operand->get());
    if (!result || !copy(*result, op.getMatchingIndexingMap(operand),
                         op.getStaticLoopRanges(), shapeOf(operand->get())))
      return std::nullopt;
    return result;
  }
  Operation *def = value.getDefiningOp();
  if (def->getBlock() != op.getBlock())
    return std::nullopt;
  bool isUnsigned = isa<arith::ExtUIOp, arith::UIToFPOp>(def);
  if (isUnsigned || isa<arith::ExtSIOp, arith::SIToFPOp>(def)) {
    Value inner = def->getOperand(0);
    auto argument = dyn_cast<BlockArgument>(inner);
    if (inner.getType().isInteger(8) && argument &&
        argument.getOwner() == op.getBlock()) {
      OpOperand *operand = op.getMatchingOpOperand(argument);
      if (!op.isDpsInput(operand) ||
          !isa<RankedTensorType>(operand->get().getType()))
        return std::nullopt;
      Quantized bytes{operand->get(),
                      !isUnsigned,
                      {},
                      std::nullopt,
                      rangeOfType(8, !isUnsigned),
                      {0, 0},
                      {}};
      bytes.zeroPoint.constant =
          IntegerAttr::get(IntegerType::get(op.getContext(), 64), 0);
      if (!copy(bytes, op.getMatchingIndexingMap(operand),
                op.getStaticLoopRanges(), shapeOf(operand->get())))
        return std::nullopt;
      return bytes;
    }
    std::optional<Quantized> result = matchBody(op, inner);
    if (!result || (isUnsigned && result->range.low < 0))
      return std::nullopt;
    return result;
  }
  if (isa<arith::TruncIOp>(def)) {
    std::optional<Quantized> result = matchBody(op, def->getOperand(0));
    if (!result || !checked(result->range, value.getType()))
      return std::nullopt;
    return result;
  }
  if (isa<arith::SubIOp, arith::AddIOp, arith::SubFOp, arith::AddFOp>(def)) {
    std::optional<Quantized> result = matchBody(op, def->getOperand(0));
    std::optional<Parameter> zeroPoint =
        Parameter::match(op, def->getOperand(1));
    if (!result || result->scale || !zeroPoint)
      return std::nullopt;
    Value number = def->getOperand(1);
    if (Operation *cast = number.getDefiningOp();
        isa_and_nonnull<arith::SIToFPOp>(cast) &&
        !zeroPoint->conversions.empty()) {
      number = cast->getOperand(0);
      zeroPoint->conversions.pop_back();
    } else if (!zeroPoint->constant && isa<FloatType>(number.getType())) {
      return std::nullopt;
    }
    if (!subtract(*result, *zeroPoint, rangeOf(number),
                  isa<arith::AddIOp, arith::AddFOp>(def), value.getType()))
      return std::nullopt;
    return result;
  }
  if (isa<arith::MulFOp>(def) && value.getType().isF32()) {
    for (unsigned factor : {0, 1}) {
      std::optional<Parameter> scale =
          Parameter::match(op, def->getOperand(1 - factor));
      if (!scale)
        continue;
      std::optional<Quantized> result = matchBody(op, def->getOperand(factor));
      if (!result || result->scale)
        continue;
      if (scale->constant) {
        APFloat number = cast<FloatAttr>(scale->constant).getValue();
        if (!number.isNormal() || number.isNegative())
          return std::nullopt;
      }
      result->scale = std::move(scale);
      return result;
    }
  }
  return std::nullopt;
}

std::optional<Quantized> pruner::matchQuantized(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  Operation *op = tensor.getDefiningOp();
  if (!op || !type || !type.hasStaticShape())
    return std::nullopt;
  auto behind = [&](auto move, auto &&apply) -> std::optional<Quantized> {
    std::optional<Quantized> result = matchQuantized(move->getOperand(0));
    if (!result || !apply(*result))
      return std::nullopt;
    return result;
  };
  if (auto padded = dyn_cast<tensor::PadOp>(op))
    return behind(padded, [&](Quantized &q) { return pad(q, padded); });
  if (auto cut = dyn_cast<tensor::ExtractSliceOp>(op))
    return behind(cut, [&](Quantized &q) { return slice(q, cut); });
  auto reshape = [&](Quantized &q, ArrayRef<AffineExpr> before) {
    if (!moveParameters(q, before, type.getRank()))
      return false;
    q.moves.push_back({op, {}, {}});
    return true;
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return behind(expand, [&](Quantized &q) {
      return reshape(q, coordinatesOfDims(expand.getReassociationIndices(),
                                          type.getShape(), op->getContext()));
    });
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return behind(collapse, [&](Quantized &q) {
      return reshape(q, coordinatesOfGroups(collapse.getReassociationIndices(),
                                            collapse.getSrcType().getShape(),
                                            op->getContext()));
    });
  linalg::LinalgOp generic = elementwiseOp(op);
  if (!generic)
    return std::nullopt;
  std::optional<Quantized> result =
      matchBody(generic, generic.getBlock()->getTerminator()->getOperand(0));
  AffineMap out = generic.getMatchingIndexingMap(generic.getDpsInitOperand(0));
  if (!result || !copy(*result, inversePermutation(out), type.getShape(),
                       generic.getStaticLoopRanges()))
    return std::nullopt;
  return result;
}
