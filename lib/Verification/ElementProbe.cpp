//===- ElementProbe.cpp - single elements of a task -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementProbe.h"

#include "pruner/Verification/ElementData.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pruner;

using Index = ElementProbe::Index;

bool pruner::advance(llvm::MutableArrayRef<int64_t> point,
                     ArrayRef<unsigned> loops, ArrayRef<int64_t> extents) {
  for (unsigned loop : llvm::reverse(loops)) {
    if (++point[loop] < extents[loop])
      return true;
    point[loop] = 0;
  }
  return false;
}

SmallVector<unsigned> pruner::reductionLoops(linalg::LinalgOp op) {
  SmallVector<unsigned> loops;
  op.getReductionDims(loops);
  return loops;
}

std::optional<Index> pruner::pointOf(linalg::LinalgOp op, unsigned result,
                                     ArrayRef<int64_t> index) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  if (!map.isProjectedPermutation())
    return std::nullopt;
  Index point(op.getNumLoops(), 0);
  for (auto [expr, at] : llvm::zip(map.getResults(), index))
    point[cast<AffineDimExpr>(expr).getPosition()] = at;
  return point;
}

static int64_t valueOf(AffineExpr expr, ArrayRef<int64_t> point) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return point[dim.getPosition()];
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  auto binary = cast<AffineBinaryOpExpr>(expr); // There are no symbols.
  int64_t a = valueOf(binary.getLHS(), point),
          b = valueOf(binary.getRHS(), point);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return a + b;
  case AffineExprKind::Mul:
    return a * b;
  case AffineExprKind::Mod:
    return ((a % b) + b) % b;
  case AffineExprKind::FloorDiv:
    return a >= 0 ? a / b : -((-a + b - 1) / b);
  case AffineExprKind::CeilDiv:
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
  default:
    llvm_unreachable("no such expression");
  }
}

static Index mapped(AffineMap map, ArrayRef<int64_t> point) {
  Index index;
  for (AffineExpr expr : map.getResults())
    index.push_back(valueOf(expr, point));
  return index;
}

int64_t ElementProbe::linear(Value tensor, ArrayRef<int64_t> index) {
  int64_t place = 0;
  for (auto [extent, at] :
       llvm::zip(cast<RankedTensorType>(tensor.getType()).getShape(), index))
    place = place * extent + at;
  return place;
}

static Scalar constantElement(TypedAttr attribute, int64_t place) {
  Attribute value = attribute;
  if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
    if (dense.isSplat())
      place = 0;
    value = *(dense.getValues<Attribute>().begin() + place);
  }
  if (auto real = dyn_cast<FloatAttr>(value))
    return Scalar::of(real.getValueAsDouble());
  auto integer = cast<IntegerAttr>(value);
  return narrowed(Scalar::of(int64_t(integer.getValue().getSExtValue())),
                  integer.getType());
}

std::optional<Scalar> ElementProbe::scalar(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  if (!constant || !isa<FloatAttr, IntegerAttr>(constant.getValue()))
    return std::nullopt;
  return constantElement(constant.getValue(), 0);
}

bool ElementProbe::body(linalg::LinalgOp op, ArrayRef<int64_t> point,
                        ArrayRef<Scalar> former,
                        SmallVectorImpl<Scalar> &yields) {
  llvm::SmallDenseMap<Value, Scalar, 16> scalars;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    if (argument.use_empty()) // Windows of poolings are not read.
      continue;
    std::optional<Scalar> value =
        isa<RankedTensorType>(operand->get().getType())
            ? element(operand->get(),
                      mapped(op.getMatchingIndexingMap(operand), point))
            : scalar(operand->get());
    if (!value)
      return false;
    scalars[argument] = *value;
  }
  for (auto [argument, value] : llvm::zip(op.getRegionOutputArgs(), former))
    scalars[argument] = value;
  auto lookup = [&](Value value) -> std::optional<Scalar> {
    auto found = scalars.find(value);
    return found != scalars.end() ? std::optional(found->second)
                                  : scalar(value);
  };
  SmallVector<Scalar, 4> operands;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (--budget < 0)
      return false;
    if (inner.getNumResults() != 1)
      return false;
    if (auto loop = dyn_cast<linalg::IndexOp>(inner)) {
      scalars[loop] = Scalar::of(point[loop.getDim()]);
      continue;
    }
    if (isa<arith::ConstantOp>(inner))
      continue;
    operands.clear();
    for (Value operand : inner.getOperands()) {
      std::optional<Scalar> value = lookup(operand);
      if (!value)
        return false;
      operands.push_back(*value);
    }
    Scalar result;
    if (!evaluateScalar(&inner, operands, result))
      return false;
    scalars[inner.getResult(0)] = result;
  }
  for (Value yielded : op.getBlock()->getTerminator()->getOperands()) {
    std::optional<Scalar> value = lookup(yielded);
    if (!value)
      return false;
    yields.push_back(*value);
  }
  return true;
}

std::optional<SmallVector<Scalar, 2>>
ElementProbe::iterate(linalg::LinalgOp op, ArrayRef<int64_t> point) {
  read.clear();
  SmallVector<Scalar, 2> former(op->getNumResults()), yields;
  if (!body(op, point, former, yields))
    return std::nullopt;
  return yields;
}

std::optional<Scalar> ElementProbe::ofLinalg(linalg::LinalgOp op,
                                             unsigned result,
                                             const Index &index) {
  std::optional<Index> point = pointOf(op, result, index);
  if (!point)
    return std::nullopt;
  SmallVector<unsigned> loops = reductionLoops(op);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<Scalar, 2> former, yields;
  for (OpOperand &init : op.getDpsInitsMutable()) {
    former.emplace_back();
    if (op.getMatchingBlockArgument(&init).use_empty())
      continue;
    std::optional<Scalar> start =
        element(init.get(), mapped(op.getMatchingIndexingMap(&init), *point));
    if (!start)
      return std::nullopt;
    former.back() = *start;
  }
  do {
    yields.clear();
    if (!body(op, *point, former, yields))
      return std::nullopt;
    former.assign(yields.begin(), yields.end());
  } while (advance(*point, loops, extents));
  return yields[result];
}

std::optional<Scalar> ElementProbe::computed(OpResult value,
                                             const Index &index) {
  Operation *op = value.getOwner();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (isa<linalg::FillOp>(op))
      return scalar(op->getOperand(0));
    if (linalgOp.getNumReductionLoops() == 0)
      return ofLinalg(linalgOp, value.getResultNumber(), index);
    if (record) {
      read.push_back({value, index});
      return Scalar(); // Its value does not matter yet.
    }
    std::pair<Value, int64_t> key{value, linear(value, index)};
    if (auto known = reduced.find(key); known != reduced.end())
      return known->second;
    auto found = ofLinalg(linalgOp, value.getResultNumber(), index);
    if (!found)
      return std::nullopt;
    found->trail = 0; // Decisions of earlier steps do not count.
    return reduced[key] = *found;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return constantElement(constant.getValue(), linear(value, index));
  if (isa<tensor::EmptyOp>(op))
    return Scalar();
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    // The same element in row-major order.
    int64_t place = linear(value, index);
    auto shape = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    Index from(shape.size());
    for (size_t d = shape.size(); d-- > 0; place /= shape[d])
      from[d] = place % shape[d];
    return element(op->getOperand(0), from);
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    auto shape = pad.getSourceType().getShape();
    Index from;
    bool inside = true;
    for (auto [at, low, extent] : llvm::zip(index, pad.getStaticLow(), shape)) {
      if (ShapedType::isDynamic(low))
        return std::nullopt;
      from.push_back(at - low);
      inside &= at >= low && at - low < extent;
    }
    if (inside)
      return element(pad.getSource(), from);
    Value padding = pad.getConstantPaddingValue();
    return padding ? scalar(padding) : std::nullopt;
  }
  auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
  if (slice && slice.getSourceType().getRank() == int64_t(index.size()) &&
      llvm::none_of(slice.getStaticOffsets(), ShapedType::isDynamic) &&
      llvm::none_of(slice.getStaticStrides(), ShapedType::isDynamic)) {
    Index from;
    for (auto [at, offset, stride] :
         llvm::zip(index, slice.getStaticOffsets(), slice.getStaticStrides()))
      from.push_back(offset + at * stride);
    return element(slice.getSource(), from);
  }
  return std::nullopt;
}

std::optional<Scalar> ElementProbe::element(Value tensor, const Index &index) {
  if (tensor == free.tensor && index == free.index)
    return freeValue;
  auto argument = dyn_cast<BlockArgument>(tensor);
  if (!argument)
    return computed(cast<OpResult>(tensor), index);
  if (--budget < 0)
    return std::nullopt;
  if (record)
    read.push_back({tensor, index});
  unsigned number = argument.getArgNumber();
  ElementType type = task.inputs()[number].type;
  int64_t place = linear(tensor, index);
  const void *data = inputs[number].data();
  return isFloat(type) ? Scalar::of(readElement(data, type, place))
                       : Scalar::of(readInteger(data, type, place));
}
