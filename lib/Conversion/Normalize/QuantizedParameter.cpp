//===- QuantizedParameter.cpp - scales and zero points --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "QuantizedParameter.h"

#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using pruner::Parameter;

bool Parameter::isUniform() const {
  return constant || !isa<RankedTensorType>(source.getType()) ||
         cast<RankedTensorType>(source.getType()).getNumElements() == 1;
}

static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type))
    return arith::SIToFPOp::create(builder, loc, type, value);
  if (value.getType().getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

/// The number that `conversions` make of `element`, as a `type`.
static Value apply(OpBuilder &builder, Location loc,
                   ArrayRef<Operation *> conversions, Value element,
                   Type type) {
  for (Operation *conversion : conversions) {
    IRMapping mapping;
    mapping.map(conversion->getOperand(0), element);
    element = builder.clone(*conversion, mapping)->getResult(0);
  }
  return convert(builder, loc, element, type);
}

Value Parameter::tensor(OpBuilder &builder, Location loc, Type type) const {
  auto old = dyn_cast<RankedTensorType>(source.getType());
  if (!old) {
    auto extract = source.getDefiningOp<tensor::ExtractOp>();
    if (extract && extract.getTensor().getType().getRank() == 0) {
      Parameter whole = *this;
      whole.source = extract.getTensor();
      return whole.tensor(builder, loc, type);
    }
    return tensor::FromElementsOp::create(
        builder, loc, RankedTensorType::get({}, type),
        apply(builder, loc, conversions, source, type));
  }
  if (conversions.empty() && old.getElementType() == type)
    return source;
  return pruner::mapElements(
      builder, loc, source, type,
      [&](OpBuilder &inner, Location loc, ValueRange elements) {
        return apply(inner, loc, conversions, elements[0], type);
      });
}

Value Parameter::scalar(OpBuilder &builder, Location loc, Type type) const {
  if (constant)
    return arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(type, cast<IntegerAttr>(constant).getInt()));
  Value element = source;
  if (auto old = dyn_cast<RankedTensorType>(source.getType())) {
    SmallVector<Value> zeros;
    if (old.getRank() > 0)
      zeros.assign(old.getRank(),
                   arith::ConstantIndexOp::create(builder, loc, 0));
    element = tensor::ExtractOp::create(builder, loc, source, zeros);
  }
  return apply(builder, loc, conversions, element, type);
}

std::optional<Parameter> Parameter::match(linalg::LinalgOp op, Value value) {
  Parameter result;
  for (;;) {
    TypedAttr constant;
    if (matchPattern(value, m_Constant(&constant))) {
      if (!result.conversions.empty())
        return std::nullopt;
      if (auto integer = dyn_cast<IntegerAttr>(constant)) {
        if (!integer.getType().isIntOrIndex() ||
            integer.getValue().getSignificantBits() > 64)
          return std::nullopt;
        constant = IntegerAttr::get(IntegerType::get(op.getContext(), 64),
                                    integer.getValue().getSExtValue());
      }
      result.constant = constant;
      return result;
    }
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == op.getBlock()) {
      OpOperand *operand = op.getMatchingOpOperand(argument);
      if (!op.isDpsInput(operand))
        return std::nullopt;
      result.source = operand->get();
      if (auto type = dyn_cast<RankedTensorType>(result.source.getType())) {
        // The only element along a dimension depends on no loop.
        SmallVector<AffineExpr> coordinates;
        for (auto [dim, expr] :
             llvm::enumerate(op.getMatchingIndexingMap(operand).getResults()))
          coordinates.push_back(type.getDimSize(dim) == 1
                                    ? getAffineConstantExpr(0, op.getContext())
                                    : expr);
        result.map =
            AffineMap::get(op.getNumLoops(), 0, coordinates, op.getContext());
        if (!llvm::all_of(coordinates, [](AffineExpr expr) {
              return isa<AffineDimExpr, AffineConstantExpr>(expr);
            }))
          return std::nullopt;
      }
      return result;
    }
    if (!op->getRegion(0).isAncestor(value.getParentRegion())) {
      result.source = value;
      return result;
    }
    Operation *conversion = value.getDefiningOp();
    if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
                         arith::SIToFPOp, arith::UIToFPOp, arith::ExtFOp,
                         arith::TruncFOp>(conversion))
      return std::nullopt;
    result.conversions.insert(result.conversions.begin(), conversion);
    value = conversion->getOperand(0);
  }
}
