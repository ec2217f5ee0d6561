//===- TensorOperations.cpp - the tensor dialect --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace llvm;
using namespace pruner;
namespace tensor = mlir::tensor;

static std::shared_ptr<RangeTensor> tensorOf(mlir::RankedTensorType type,
                                             ArrayRef<int64_t> shape) {
  auto result = std::make_shared<RangeTensor>();
  result->shape = shape.vec();
  // Not initialized: may be any number.
  Cell cell;
  if (!isa<mlir::FloatType>(type.getElementType()))
    cell = allIntegers(integerWidth(type.getElementType()));
  result->cells.assign(mlir::ShapedType::getNumElements(shape), cell);
  return result;
}

static std::shared_ptr<RangeTensor> tensorOf(mlir::Type type) {
  auto shaped = cast<mlir::RankedTensorType>(type);
  return tensorOf(shaped, shaped.getShape());
}

static RangeTensorRef constant(mlir::DenseElementsAttr elements) {
  auto result = tensorOf(elements.getType());
  if (isa<mlir::FloatType>(elements.getElementType())) {
    for (auto [cell, value] :
         zip(result->cells, elements.getValues<APFloat>())) {
      bool loses;
      value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &loses);
      cell = RealRange::exactly(value.convertToDouble());
    }
    return result;
  }
  unsigned width = integerWidth(elements.getElementType());
  for (auto [cell, value] : zip(result->cells, elements.getValues<APInt>()))
    cell = IntegerRange::exactly(wrapInteger(value.getSExtValue(), width));
  return result;
}

/// Elements that lie in memory as arguments do; null where they are not there.
static RangeTensorRef constant(mlir::DenseResourceElementsAttr elements) {
  mlir::AsmResourceBlob *blob = elements.getRawHandle().getBlob();
  mlir::Type type = elements.getType().getElementType();
  auto result = tensorOf(elements.getType());
  if (!blob ||
      blob->getData().size() != result->cells.size() * storedBytes(type))
    return nullptr;
  for (auto [n, cell] : enumerate(result->cells))
    cell = readElement(type, blob->getData().data(), int64_t(n));
  return result;
}

/// Calls `body(offset of a box's element, offset in the whole)` for a box of
/// `shape` at `offsets` and `strides` in a tensor of `whole`.
template <typename Body>
static void eachOfBox(ArrayRef<int64_t> shape, ArrayRef<int64_t> whole,
                      ArrayRef<int64_t> offsets, ArrayRef<int64_t> strides,
                      Body body) {
  SmallVector<int64_t> point(shape.size(), 0);
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t n = 0; n < count; ++n) {
    int64_t offset = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      offset = offset * whole[d] + offsets[d] + point[d] * strides[d];
    body(n, offset);
    for (int64_t d = int64_t(shape.size()) - 1;
         d >= 0 && ++point[d] == shape[d]; --d)
      point[d] = 0;
  }
}

/// Whether a box lies inside of the whole.
static bool isInside(ArrayRef<int64_t> shape, ArrayRef<int64_t> whole,
                     ArrayRef<int64_t> offsets, ArrayRef<int64_t> strides) {
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t last = offsets[d] + (shape[d] - 1) * strides[d];
    if (shape[d] > 0 && (std::min(offsets[d], last) < 0 ||
                         std::max(offsets[d], last) >= whole[d]))
      return false;
  }
  return true;
}

/// extract_slice and insert_slice; an offset may be a value.
Error Interpreter::evaluateSlice(mlir::Operation *op, RangeTensor &result) {
  auto slice = cast<mlir::OffsetSizeAndStrideOpInterface>(op);
  auto offsets = integersOf(slice.getMixedOffsets());
  if (!offsets)
    return offsets.takeError();
  auto sizes = integersOf(slice.getMixedSizes());
  if (!sizes)
    return sizes.takeError();
  auto strides = integersOf(slice.getMixedStrides());
  if (!strides)
    return strides.takeError();
  auto insert = dyn_cast<tensor::InsertSliceOp>(op);
  RangeTensorRef from = get(op->getOperand(0));
  if (insert)
    result.cells = get(insert.getDest())->cells;
  ArrayRef<int64_t> whole = insert ? result.shape : from->shape;
  if (!isInside(*sizes, whole, *offsets, *strides))
    return createStringError("a slice may be out of bounds");
  eachOfBox(*sizes, whole, *offsets, *strides, [&](int64_t n, int64_t offset) {
    if (insert)
      result.cells[offset] = from->cells[n];
    else
      result.cells[n] = from->cells[offset];
  });
  return Error::success();
}

/// Evaluates the region for each position (tensor.generate, tensor.pad), and
/// copies the source of a pad, as far as it is not cut off.
Error Interpreter::evaluateElements(mlir::Operation *op, RangeTensor &result) {
  mlir::Block &body = op->getRegion(0).front();
  ScalarProgram program(*this);
  if (Error error = program.addBlock(body))
    return error;
  auto yielded = program.slotOf(body.getTerminator()->getOperand(0));
  if (!yielded)
    return yielded.takeError();
  SmallVector<int64_t> low(result.shape.size(), 0);
  RangeTensorRef source;
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    auto given = integersOf(pad.getMixedLowPad());
    if (!given)
      return given.takeError();
    low = std::move(*given);
    source = get(pad.getSource());
  }
  ScalarProgram::State state = program.start();
  SmallVector<int64_t> ones(result.shape.size(), 1), point(ones.size(), 0);
  state.position = point;
  for (Cell &cell : result.cells) {
    int64_t offset = 0;
    bool inside = bool(source);
    for (size_t d = 0; inside && d < point.size(); ++d) {
      int64_t at = point[d] - low[d];
      inside = 0 <= at && at < source->shape[d];
      offset = offset * source->shape[d] + at;
    }
    for (auto [value, at] : zip(body.getArguments(), point))
      state.slots[cantFail(program.slotOf(value))] = IntegerRange::exactly(at);
    if (!inside && !program.run(state))
      return createStringError(state.failure);
    cell = inside ? source->cells[offset] : state.slots[*yielded];
    for (int64_t d = int64_t(point.size()) - 1;
         d >= 0 && ++point[d] == result.shape[d]; --d)
      point[d] = 0;
  }
  return Error::success();
}

static void joinCells(RangeTensor &result, const RangeTensor &other,
                      bool isReal) {
  for (auto [cell, added] : zip(result.cells, other.cells))
    if (isReal)
      cell.real = cell.real.join(added.real);
    else
      cell.integer = cell.integer.join(added.integer);
}

/// Applies scalar code to each element, such as arith.addi on tensors.
Error Interpreter::evaluateElementwise(mlir::Operation *op,
                                       ArrayRef<RangeTensorRef> operands,
                                       RangeTensor &result) {
  mlir::OperationState scalarState(op->getLoc(), op->getName());
  mlir::Block block;
  for (mlir::Value operand : op->getOperands())
    scalarState.operands.push_back(block.addArgument(
        mlir::getElementTypeOrSelf(operand.getType()), op->getLoc()));
  scalarState.addTypes(mlir::getElementTypeOrSelf(op->getResult(0).getType()));
  scalarState.addAttributes(op->getAttrs());
  mlir::Operation *code = mlir::Operation::create(scalarState);
  block.push_back(code);
  ScalarProgram program(*this);
  for (mlir::Value argument : block.getArguments())
    program.define(argument);
  if (Error error = program.add(code))
    return error;
  unsigned value = cantFail(program.slotOf(code->getResult(0)));
  ScalarProgram::State state = program.start();
  for (size_t n = 0; n < result.cells.size(); ++n) {
    for (auto [argument, operand] : zip_equal(block.getArguments(), operands))
      state.slots[cantFail(program.slotOf(argument))] =
          operand->cells[operand->cells.size() == 1 ? 0 : n];
    if (!program.run(state))
      return createStringError(state.failure);
    result.cells[n] = state.slots[value];
  }
  return Error::success();
}

/// The extents of the result of an operation of dynamic shape.
Expected<SmallVector<int64_t>>
Interpreter::shapeOfResult(mlir::Operation *op,
                           ArrayRef<RangeTensorRef> operands) const {
  auto shapeOf = [&](mlir::Value value) {
    return llvm::to_vector(get(value)->shape);
  };
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    return integersOf(empty.getMixedSizes());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return integersOf(expand.getMixedOutputShape());
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    auto sizes = integersOf(extract.getMixedSizes());
    if (!sizes)
      return sizes;
    SmallVector<int64_t> kept;
    SmallBitVector dropped = extract.getDroppedDims();
    for (auto [n, size] : enumerate(*sizes))
      if (!dropped[n])
        kept.push_back(size);
    return kept;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return shapeOf(insert.getDest());
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return shapeOf(insert.getDest());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    SmallVector<int64_t> shape;
    for (const auto &group : collapse.getReassociationIndices()) {
      shape.push_back(1);
      for (int64_t dim : group)
        shape.back() *= operands[0]->shape[dim];
    }
    return shape;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    auto low = integersOf(pad.getMixedLowPad());
    if (!low)
      return low;
    auto high = integersOf(pad.getMixedHighPad());
    if (!high)
      return high;
    SmallVector<int64_t> shape = shapeOf(pad.getSource());
    for (auto [extent, before, behind] : zip_equal(shape, *low, *high))
      extent += before + behind;
    return shape;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    SmallVector<int64_t> shape = llvm::to_vector(operands[0]->shape);
    for (const RangeTensorRef &other : operands.drop_front())
      shape[concat.getDim()] += other->shape[concat.getDim()];
    return shape;
  }
  if (isa<tensor::CastOp>(op))
    return llvm::to_vector(operands[0]->shape);
  // Elementwise operations, and selections between whole tensors.
  if (mlir::OpTrait::hasElementwiseMappableTraits(op))
    return llvm::to_vector(operands.back()->shape);
  return unsupported(op, " of dynamic shape");
}

/// Fills `whole`, the result of `op`, from its operands.
Error Interpreter::evaluateData(mlir::Operation *op,
                                ArrayRef<RangeTensorRef> operands,
                                RangeTensor &whole) {
  if (isa<tensor::EmptyOp>(op))
    return Error::success();
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op))
    return evaluateSlice(op, whole);
  if (isa<tensor::PadOp, tensor::GenerateOp>(op))
    return evaluateElements(op, whole);
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
          tensor::ReshapeOp>(op)) {
    whole.cells = operands[0]->cells;
  } else if (isa<tensor::SplatOp>(op)) {
    whole.cells.assign(whole.cells.size(), operands[0]->cells[0]);
  } else if (isa<tensor::FromElementsOp>(op)) {
    for (auto [cell, operand] : zip(whole.cells, operands))
      cell = operand->cells[0];
  } else if (auto select = dyn_cast<mlir::arith::SelectOp>(op)) {
    if (!select.getCondition().getType().isInteger(1))
      return unsupported(op, " by a tensor");
    IntegerRange condition = operands[0]->cells[0].integer;
    whole.cells = operands[condition.hi ? 1 : 2]->cells;
    if (!condition.isPoint())
      joinCells(
          whole, *operands[2],
          isa<mlir::FloatType>(mlir::getElementTypeOrSelf(select.getType())));
  } else if (auto insert = dyn_cast<tensor::InsertOp>(op)) {
    whole.cells = operands[1]->cells;
    int64_t offset = 0;
    for (auto [index, extent] : zip(insert.getIndices(), whole.shape)) {
      auto at = integerOf(index, "an index");
      if (!at)
        return at.takeError();
      if (*at < 0 || *at >= extent)
        return createStringError("an index may be out of bounds");
      offset = offset * extent + *at;
    }
    whole.cells[offset] = operands[0]->cells[0];
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    SmallVector<int64_t> offsets(whole.shape.size(), 0),
        strides(whole.shape.size(), 1);
    for (const RangeTensorRef &part : operands) {
      eachOfBox(part->shape, whole.shape, offsets, strides,
                [&](int64_t n, int64_t offset) {
                  whole.cells[offset] = part->cells[n];
                });
      offsets[concat.getDim()] += part->shape[concat.getDim()];
    }
  } else if (mlir::OpTrait::hasElementwiseMappableTraits(op)) {
    return evaluateElementwise(op, operands, whole);
  } else {
    return evaluateRelayout(op, whole);
  }
  return Error::success();
}

Error Interpreter::evaluateTensorOp(mlir::Operation *op) {
  auto operands = valuesOf(op->getOperands());
  if (!operands)
    return operands.takeError();
  if (op->getNumResults() != 1)
    return unsupported(op);
  auto type = dyn_cast<mlir::RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return unsupported(op);
  if (auto fixed = dyn_cast<mlir::arith::ConstantOp>(op)) {
    RangeTensorRef known;
    if (auto elements = dyn_cast<mlir::DenseElementsAttr>(fixed.getValue()))
      known = constant(elements);
    else if (auto elements =
                 dyn_cast<mlir::DenseResourceElementsAttr>(fixed.getValue()))
      known = constant(elements);
    if (!known)
      return unsupported(op);
    set(op->getResult(0), known);
    return Error::success();
  }
  SmallVector<int64_t> shape(type.getShape());
  if (!type.hasStaticShape()) {
    auto known = shapeOfResult(op, *operands);
    if (!known)
      return known.takeError();
    for (auto [stated, actual] : zip_equal(type.getShape(), *known))
      if (actual < 0 ||
          (!mlir::ShapedType::isDynamic(stated) && stated != actual))
        return createStringError("an extent may be another one");
    shape = std::move(*known);
  }
  auto whole = tensorOf(type, shape);
  if (Error error = evaluateData(op, *operands, *whole))
    return error;
  set(op->getResult(0), whole);
  return Error::success();
}
