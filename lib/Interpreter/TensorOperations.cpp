//===- TensorOperations.cpp - the tensor dialect --------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;
using namespace pruner;
namespace tensor = mlir::tensor;

static std::shared_ptr<RangeTensor> tensorOf(mlir::Type type) {
  auto result = std::make_shared<RangeTensor>();
  auto shaped = cast<mlir::RankedTensorType>(type);
  result->shape = shaped.getShape().vec();
  // Not initialised: a real may be anything, and so may an integer.
  Cell cell;
  if (!isa<mlir::FloatType>(shaped.getElementType()))
    cell = allIntegers(integerWidth(shaped.getElementType()));
  result->cells.assign(shaped.getNumElements(), cell);
  return result;
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

template <typename Op> static bool isStatic(Op op) {
  for (auto list :
       {op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides()})
    if (is_contained(list, mlir::ShapedType::kDynamic))
      return false;
  return true;
}

Error Interpreter::evaluateTensorOp(mlir::Operation *op) {
  for (mlir::Value operand : op->getOperands())
    if (!get(operand))
      return createStringError("an operand is not known");
  auto result = op->getResult(0);
  if (!isa<mlir::RankedTensorType>(result.getType()) ||
      !cast<mlir::RankedTensorType>(result.getType()).hasStaticShape())
    return unsupported(op, " of dynamic shape");
  auto whole = tensorOf(result.getType());
  if (auto fixed = dyn_cast<mlir::arith::ConstantOp>(op)) {
    auto elements = dyn_cast<mlir::DenseElementsAttr>(fixed.getValue());
    if (!elements)
      return unsupported(op);
    set(result, constant(elements));
    return Error::success();
  }
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
          tensor::ReshapeOp>(op)) {
    whole->cells = get(op->getOperand(0))->cells;
  } else if (isa<tensor::SplatOp>(op)) {
    whole->cells.assign(whole->cells.size(), get(op->getOperand(0))->cells[0]);
  } else if (isa<tensor::FromElementsOp>(op)) {
    for (auto [cell, operand] : zip(whole->cells, op->getOperands()))
      cell = get(operand)->cells[0];
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!isStatic(slice))
      return unsupported(op, " at dynamic offsets");
    RangeTensorRef from = get(slice.getSource());
    eachOfBox(slice.getStaticSizes(), from->shape, slice.getStaticOffsets(),
              slice.getStaticStrides(), [&](int64_t n, int64_t offset) {
                whole->cells[n] = from->cells[offset];
              });
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (!isStatic(insert))
      return unsupported(op, " at dynamic offsets");
    RangeTensorRef from = get(insert.getSource());
    whole->cells = get(insert.getDest())->cells;
    eachOfBox(insert.getStaticSizes(), whole->shape, insert.getStaticOffsets(),
              insert.getStaticStrides(), [&](int64_t n, int64_t offset) {
                whole->cells[offset] = from->cells[n];
              });
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    SmallVector<int64_t> offsets(whole->shape.size(), 0),
        strides(whole->shape.size(), 1);
    for (mlir::Value operand : op->getOperands()) {
      RangeTensorRef part = get(operand);
      eachOfBox(part->shape, whole->shape, offsets, strides,
                [&](int64_t n, int64_t offset) {
                  whole->cells[offset] = part->cells[n];
                });
      offsets[concat.getDim()] += part->shape[concat.getDim()];
    }
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    mlir::Value around = pad.getConstantPaddingValue();
    if (!around || is_contained(pad.getStaticLow(), mlir::ShapedType::kDynamic))
      return unsupported(op, " of anything but a constant");
    if (!get(around))
      if (Error error = evaluateScalarOp(around.getDefiningOp()))
        return error;
    whole->cells.assign(whole->cells.size(), get(around)->cells[0]);
    RangeTensorRef from = get(pad.getSource());
    SmallVector<int64_t> strides(whole->shape.size(), 1);
    eachOfBox(from->shape, whole->shape, pad.getStaticLow(), strides,
              [&](int64_t n, int64_t offset) {
                whole->cells[offset] = from->cells[n];
              });
  } else if (!isa<tensor::EmptyOp>(op)) {
    return unsupported(op);
  }
  set(result, whole);
  return Error::success();
}
