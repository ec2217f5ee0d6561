//===- BoundedTask.cpp - a task with error bounds -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedTask.h"

#include "BoundedGeneric.h"
#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace pruner;

/// A scalar or tensor type with f64 for every float type.
static Type widen(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(widen(tensor.getElementType()));
  return isa<FloatType>(type) ? Float64Type::get(type.getContext()) : type;
}

static TypedAttr widen(TypedAttr attribute) {
  Type f64 = Float64Type::get(attribute.getContext());
  auto toDouble = [](APFloat value) {
    bool ignored;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &ignored);
    return value;
  };
  if (auto value = dyn_cast<FloatAttr>(attribute))
    return FloatAttr::get(f64, toDouble(value.getValue()));
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense || !isa<FloatType>(dense.getElementType()))
    return attribute;
  return cast<TypedAttr>(
      Attribute(dense.mapValues(f64, [&](const APFloat &value) {
        return toDouble(value).bitcastToAPInt();
      })));
}

namespace {
/// Writes the bounded form of a function op by op.
class Writer {
public:
  Writer(func::FuncOp from) : from(from), builder(from.getContext()) {}

  llvm::Expected<BoundedTask> run();

private:
  llvm::Error write(Operation *op);
  void writeConstant(arith::ConstantOp op);
  llvm::Error writePad(tensor::PadOp op);
  void writeMove(Operation *op);
  void writeFill(linalg::FillOp op);
  llvm::Error writeGeneric(linalg::GenericOp op);

  func::FuncOp from;
  OpBuilder builder;
  BoundedValues known;
};
} // namespace

/// Decomposes ops on whole tensors and gives every linalg op a body.
static llvm::Error generalize(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  for (Operation *op : decomposeAggregates(rewriter, module))
    return llvm::createStringError("%s cannot be decomposed",
                                   op->getName().getStringRef().str().c_str());
  SmallVector<Operation *> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp, linalg::FillOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op))))
      return llvm::createStringError(
          "%s has no generic form", op->getName().getStringRef().str().c_str());
  }
  return llvm::Error::success();
}

llvm::Expected<BoundedTask> Writer::run() {
  BoundedTask bounded;
  bounded.module = ModuleOp::create(from.getLoc());
  builder.setInsertionPointToEnd(bounded.module->getBody());
  SmallVector<Type> inputs;
  for (Type type : from.getArgumentTypes())
    inputs.push_back(widen(type));
  auto function =
      func::FuncOp::create(builder, from.getLoc(), from.getName(),
                           builder.getFunctionType(inputs, TypeRange()));
  Block *body = function.addEntryBlock();
  // Arguments do not overlap, so loops can be vectorized.
  for (unsigned i = 0; i < inputs.size(); ++i)
    function.setArgAttr(i, "llvm.noalias", builder.getUnitAttr());
  for (auto [old, argument] :
       llvm::zip(from.getArguments(), body->getArguments()))
    known[old] = {argument, {}};
  builder.setInsertionPointToEnd(body);
  for (Operation &op : from.front().without_terminator())
    if (llvm::Error error = write(&op))
      return error;

  SmallVector<Value> results, errors, others;
  for (Value value : from.front().getTerminator()->getOperands()) {
    Bounded result = known.lookup(value);
    results.push_back(result.value);
    bounded.hasErrors.push_back(bool(result.error));
    if (result.error)
      errors.push_back(result.error);
    bounded.hasOthers.push_back(bool(result.others));
    if (result.others)
      others.push_back(result.others);
  }
  results.append(errors);
  results.append(others);
  func::ReturnOp::create(builder, from.getLoc(), results);
  function.setFunctionType(
      builder.getFunctionType(inputs, ValueRange(results).getTypes()));
  if (llvm::Error error =
          withDiagnostics(*from.getContext(), "the bounded form of the task",
                          [&] { return verify(*bounded.module); }))
    return error;
  return bounded;
}

llvm::Error Writer::write(Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    writeConstant(constant);
  } else if (auto empty = dyn_cast<tensor::EmptyOp>(op)) {
    auto type = cast<RankedTensorType>(widen(empty.getType()));
    known[empty] = {tensor::EmptyOp::create(builder, op->getLoc(),
                                            type.getShape(),
                                            type.getElementType()),
                    {}};
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    return writePad(pad);
  } else if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    writeFill(fill);
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    return writeGeneric(generic);
  } else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                 tensor::ExtractSliceOp, tensor::InsertSliceOp,
                 tensor::ConcatOp, tensor::CastOp>(op)) {
    writeMove(op);
  } else if (op->getNumResults() == 1 && op->getNumRegions() == 0 &&
             llvm::none_of(op->getOperandTypes(), llvm::IsaPred<TensorType>)) {
    SmallVector<Bounded> operands;
    for (Value operand : op->getOperands())
      operands.push_back(known.lookup(operand));
    known[op->getResult(0)] =
        ErrorRules(builder, op->getLoc()).apply(op, operands);
  } else {
    return llvm::createStringError("'%s' has no bounded form",
                                   op->getName().getStringRef().str().c_str());
  }
  return llvm::Error::success();
}

void Writer::writeConstant(arith::ConstantOp op) {
  known[op] = {
      arith::ConstantOp::create(builder, op.getLoc(), widen(op.getValue())),
      {}};
}

llvm::Error Writer::writePad(tensor::PadOp op) {
  TypedAttr padding;
  if (!op.getLow().empty() || !op.getHigh().empty() ||
      !op.getConstantPaddingValue() ||
      !matchPattern(op.getConstantPaddingValue(), m_Constant(&padding)))
    return llvm::createStringError(
        "'tensor.pad' with amounts or a value that are not constant has no "
        "bounded form");
  auto make = [&](Value source, TypedAttr value) -> Value {
    if (!source)
      return {};
    Value constant = arith::ConstantOp::create(builder, op.getLoc(), value);
    auto type = cast<RankedTensorType>(op.getType()).clone(value.getType());
    return tensor::PadOp::create(builder, op.getLoc(), type, source,
                                 op.getMixedLowPad(), op.getMixedHighPad(),
                                 constant, op.getNofold());
  };
  Bounded source = known.lookup(op.getSource());
  known[op] = {make(source.value, widen(padding)),
               make(source.error, builder.getF64FloatAttr(0)),
               make(source.others, builder.getI8IntegerAttr(0))};
  return llvm::Error::success();
}

/// Ops that only move elements move errors and other values in the same way.
void Writer::writeMove(Operation *op) {
  auto make = [&](Value Bounded::*part) -> Value {
    if (part != &Bounded::value &&
        llvm::none_of(op->getOperands(), [&](Value operand) {
          return bool(known.lookup(operand).*part);
        }))
      return {};
    IRMapping map;
    Type element;
    for (Value operand : op->getOperands()) {
      Bounded bounded = known.lookup(operand);
      Value value = bounded.value;
      if (isa<RankedTensorType>(operand.getType())) {
        if (part != &Bounded::value)
          value = bounded.*part ? bounded.*part
                  : part == &Bounded::error
                      ? zerosLike(builder, op->getLoc(), value)
                      : noneLike(builder, op->getLoc(), value);
        element = cast<RankedTensorType>(value.getType()).getElementType();
      }
      map.map(operand, value);
    }
    Operation *copy = builder.clone(*op, map);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    copy->getResult(0).setType(type.clone(element));
    return copy->getResult(0);
  };
  known[op->getResult(0)] = {make(&Bounded::value), make(&Bounded::error),
                             make(&Bounded::others)};
}

void Writer::writeFill(linalg::FillOp op) {
  auto make = [&](Value scalar, Value target) -> Value {
    return linalg::FillOp::create(builder, op.getLoc(), scalar, target)
        .getResult(0);
  };
  Bounded scalar = known.lookup(op.getInputs()[0]);
  Value value = make(scalar.value, known.lookup(op.getOutputs()[0]).value);
  Value error;
  if (scalar.error)
    error = make(scalar.error, zerosLike(builder, op.getLoc(), value));
  known[op.getResult(0)] = {value, error};
}

llvm::Error Writer::writeGeneric(linalg::GenericOp op) {
  if (op.hasDynamicShape() || op->getNumResults() != op.getNumDpsInits())
    return llvm::createStringError(
        "a linalg op of dynamic shape has no bounded form");
  SmallVector<Bounded> results = BoundedGeneric(builder, op, known).write();
  for (auto [result, written] : llvm::zip(op->getResults(), results))
    known[result] = written;
  return llvm::Error::success();
}

llvm::Expected<BoundedTask> pruner::boundTask(const TaskProgram &task) {
  OwningOpRef<ModuleOp> module = task.clone();
  if (llvm::Error error = generalize(*module))
    return error;
  auto function = module->lookupSymbol<func::FuncOp>(task.entry());
  return Writer(function).run();
}
