//===- FloatFactors.cpp - factors of products and their types -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FloatFactors.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

static RankedTensorType withElements(Value value, Type element) {
  return cast<RankedTensorType>(value.getType()).clone(element);
}

static FloatType elementOf(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor ? dyn_cast<FloatType>(tensor.getElementType()) : FloatType();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The argument that `value` is, or extends.
static BlockArgument factorOf(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  return dyn_cast<BlockArgument>(value);
}

std::optional<FloatProduct> pruner::matchFloatProduct(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return std::nullopt;
  Block *body = op.getBlock();
  if (body->getNumArguments() != 3 || !body->getArgument(2).getType().isF32() ||
      !getCombiner(*body))
    return std::nullopt;
  std::optional<CombinerMatch> sum = matchCombiner(*body);
  if (!sum || sum->combiner != Combiner::Sum)
    return std::nullopt;
  auto product = sum->contribution.getDefiningOp<arith::MulFOp>();
  if (!product)
    return std::nullopt;
  BlockArgument x = factorOf(product.getLhs()), y = factorOf(product.getRhs());
  if (!x || !y || x.getOwner() != body || y.getOwner() != body ||
      x.getArgNumber() + y.getArgNumber() != 1 || !x.hasOneUse() ||
      !y.hasOneUse())
    return std::nullopt;
  if (x.getArgNumber() == 1)
    std::swap(x, y);
  return FloatProduct{{x, y}};
}

void pruner::readFactor(RewriterBase &rewriter, linalg::LinalgOp op,
                        unsigned input, Value value) {
  BlockArgument element = op.getBlock()->getArgument(input);
  assert(element.getType().isF32() && elementOf(value).getWidth() < 32);
  rewriter.modifyOpInPlace(op, [&] {
    element.setType(elementOf(value));
    op.getDpsInputOperand(input)->set(value);
    // Extensions come first, in the order of the inputs, as in the bodies that
    // named ops have for such types. Others, to f64, may read this one.
    OpBuilder::InsertionGuard guard(rewriter);
    Block::iterator place = op.getBlock()->begin();
    while (isa<arith::ExtFOp>(*place) && place->getOperand(0) != element)
      ++place;
    rewriter.setInsertionPoint(op.getBlock(), place);
    Value extended = arith::ExtFOp::create(rewriter, op.getLoc(),
                                           rewriter.getF32Type(), element);
    element.replaceAllUsesExcept(extended, extended.getDefiningOp());
  });
}

//===----------------------------------------------------------------------===//
// Extensions
//===----------------------------------------------------------------------===//

/// The input of an elementwise op that extends every number of one tensor, and
/// perhaps permutes or broadcasts it; null for other ops.
static OpOperand *extendedInput(Operation *op) {
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || !generic.hasPureTensorSemantics() ||
      generic.hasDynamicShape() || generic.getNumDpsInputs() != 1 ||
      generic.getNumDpsInits() != 1 || generic.getNumReductionLoops() != 0)
    return nullptr;
  Block *body = generic.getBlock();
  auto extension =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::ExtFOp>();
  if (!extension || extension.getIn() != body->getArgument(0))
    return nullptr;
  OpOperand *input = generic.getDpsInputOperand(0);
  return isa<RankedTensorType>(input->get().getType()) ? input : nullptr;
}

/// Whether `to` holds every number that a pad inserts.
static bool holdsPadding(tensor::PadOp pad, FloatType to) {
  APFloat value(0.0);
  Value padding = pad.getConstantPaddingValue();
  if (!padding || !matchPattern(padding, m_ConstantFloat(&value)))
    return false;
  bool loses = false;
  value.convert(to.getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return !loses;
}

Value pruner::viewedBy(Operation *op) {
  if (!isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                       tensor::ExtractSliceOp, tensor::PadOp>(op))
    return Value();
  Value source = op->getOperand(0);
  return cast<RankedTensorType>(source.getType()).hasStaticShape() ? source
                                                                   : Value();
}

FloatType pruner::typeOfNumbers(Value value) {
  Operation *op = value.getDefiningOp();
  if (OpOperand *input = extendedInput(op))
    return elementOf(input->get());
  Value source = viewedBy(op);
  FloatType type = source ? typeOfNumbers(source) : FloatType();
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op))
    return type && holdsPadding(pad, type) ? type : FloatType();
  return type;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

Value FactorConverter::convert(Value value) {
  if (elementOf(value) == type)
    return value;
  if (Value found = known.lookup(value))
    return found;
  OpBuilder::InsertionGuard guard(rewriter);
  Value made = create(value);
  known[value] = made;
  return made;
}

/// A reshape, slice or pad of `source`, as `op` makes it of its own source.
static Value viewAgain(RewriterBase &rewriter, Operation *op, Value source) {
  IRMapping mapping;
  mapping.map(op->getOperand(0), source);
  FloatType type = elementOf(source);
  Operation *copy = rewriter.clone(*op, mapping);
  copy->getResult(0).setType(withElements(op->getResult(0), type));
  auto pad = dyn_cast<tensor::PadOp>(copy);
  if (!pad)
    return copy->getResult(0);
  APFloat number(0.0);
  (void)matchPattern(cast<tensor::PadOp>(op).getConstantPaddingValue(),
                     m_ConstantFloat(&number));
  bool loses = false;
  number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                 &loses);
  rewriter.setInsertionPoint(copy);
  Value constant = arith::ConstantOp::create(rewriter, op->getLoc(),
                                             FloatAttr::get(type, number));
  Operation *yield = pad.getBody()->getTerminator();
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(0, constant); });
  return pad;
}

Value FactorConverter::create(Value value) {
  Operation *op = value.getDefiningOp();
  rewriter.setInsertionPointAfterValue(value);
  if (OpOperand *input = extendedInput(op);
      input && elementOf(input->get()) == type) {
    auto generic = cast<linalg::GenericOp>(op);
    AffineMap in = generic.getMatchingIndexingMap(input),
              out =
                  generic.getMatchingIndexingMap(generic.getDpsInitOperand(0));
    if (in == out && in.isIdentity())
      return input->get();
    // A copy that permutes or broadcasts, in the narrow type.
    auto shape = withElements(value, type);
    Value empty =
        tensor::EmptyOp::create(rewriter, op->getLoc(), shape.getShape(), type);
    return linalg::GenericOp::create(
               rewriter, op->getLoc(), shape, input->get(), empty,
               generic.getIndexingMapsArray(), generic.getIteratorTypesArray(),
               [](OpBuilder &builder, Location loc, ValueRange elements) {
                 linalg::YieldOp::create(builder, loc, elements[0]);
               })
        .getResult(0);
  }
  // A slice would round what lies outside of it, so it is rounded itself.
  Value source = viewedBy(op);
  auto pad = dyn_cast_or_null<tensor::PadOp>(op);
  if (source && (!pad || holdsPadding(pad, type)) &&
      (!rounds || !isa<tensor::ExtractSliceOp>(op) ||
       typeOfNumbers(source) == type)) {
    Value converted = convert(source);
    rewriter.setInsertionPointAfterValue(value);
    return viewAgain(rewriter, op, converted);
  }
  assert(rounds && "the value has other numbers than those of the type");
  return convertElements(value);
}

Value FactorConverter::convertElements(Value value) {
  Location loc = value.getLoc();
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant))) {
    auto values = constant.mapValues(type, [&](const APFloat &number) {
      APFloat copy = number;
      bool loses = false;
      copy.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &loses);
      return copy.bitcastToAPInt();
    });
    return arith::ConstantOp::create(rewriter, loc, values);
  }
  return mapElements(
      rewriter, loc, value, type,
      [&](OpBuilder &builder, Location loc, ValueRange elements) -> Value {
        if (type.getWidth() < elementOf(value).getWidth())
          return arith::TruncFOp::create(builder, loc, type, elements[0]);
        return arith::ExtFOp::create(builder, loc, type, elements[0]);
      });
}
