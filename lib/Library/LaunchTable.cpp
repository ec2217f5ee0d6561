//===- LaunchTable.cpp - how host functions run kernels -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Library/DeviceCode.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace llvm;
using namespace pruner;

/// `"f32"`, the shape (-1 for a dynamic extent), and the bytes of a contiguous
/// tensor unless its size is dynamic or its elements have no whole bytes.
static json::Object describe(mlir::ShapedType type) {
  std::string element;
  raw_string_ostream(element) << type.getElementType();
  json::Array shape;
  for (int64_t extent : type.getShape())
    shape.push_back(mlir::ShapedType::isDynamic(extent) ? -1 : extent);
  json::Object result{{"type", element}, {"shape", std::move(shape)}};
  if (type.hasStaticShape() && type.getElementType().isIntOrFloat())
    result["bytes"] = type.getNumElements() *
                      int64_t(divideCeil(type.getElementTypeBitWidth(), 8));
  return result;
}

namespace {
/// The table of one function.
class FunctionTable {
public:
  explicit FunctionTable(mlir::func::FuncOp function) : function(function) {}

  Expected<json::Object> write() {
    json::Array arguments;
    for (mlir::BlockArgument argument : function.getArguments()) {
      json::Object described = addBuffer(argument);
      if (auto name = function.getArgAttrOfType<mlir::StringAttr>(
              argument.getArgNumber(), PrunerDialect::getNameAttrName()))
        described["name"] = name.getValue();
      arguments.push_back(std::move(described));
    }
    for (mlir::Operation &op : function.getBody().front())
      if (Error error = addStep(op))
        return error;
    return json::Object{
        {"name", function.getName()},        {"public", function.isPublic()},
        {"arguments", std::move(arguments)}, {"buffers", std::move(buffers)},
        {"steps", std::move(steps)},         {"results", std::move(results)}};
  }

private:
  /// Gives a tensor or memref the next number and describes it.
  json::Object addBuffer(mlir::Value value) {
    numbers[value] = count++;
    if (auto type = dyn_cast<mlir::ShapedType>(value.getType()))
      return describe(type);
    std::string text;
    raw_string_ostream(text) << value.getType();
    return json::Object{{"type", text}};
  }

  /// The numbers of the tensors and memrefs among `values`; other values are
  /// left out.
  json::Array numbersOf(mlir::ValueRange values) {
    json::Array list;
    for (mlir::Value value : values)
      if (auto number = numbers.find(value); number != numbers.end())
        list.push_back(number->second);
    return list;
  }

  json::Array addResults(mlir::Operation &op) {
    for (mlir::Value result : op.getResults())
      if (isa<mlir::ShapedType>(result.getType()))
        buffers.push_back(addBuffer(result));
    return numbersOf(op.getResults());
  }

  static Expected<json::Array> sizes(mlir::Operation &op,
                                     const mlir::gpu::KernelDim3 &dim) {
    json::Array list;
    for (mlir::Value value : {dim.x, dim.y, dim.z}) {
      auto size = constant(op, value);
      if (!size)
        return size.takeError();
      list.push_back(*size);
    }
    return list;
  }

  static Expected<int64_t> constant(mlir::Operation &op, mlir::Value value) {
    APInt size;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&size)))
      return size.getSExtValue();
    op.emitOpError("expects constant sizes of the grid, the block and the "
                   "shared memory");
    return createStringError("the launches cannot be listed");
  }

  Error addLaunch(mlir::gpu::LaunchFuncOp launch) {
    auto grid = sizes(*launch, launch.getGridSizeOperandValues());
    if (!grid)
      return grid.takeError();
    auto block = sizes(*launch, launch.getBlockSizeOperandValues());
    if (!block)
      return block.takeError();
    int64_t dynamicBytes = 0;
    if (mlir::Value bytes = launch.getDynamicSharedMemorySize()) {
      auto size = constant(*launch, bytes);
      if (!size)
        return size.takeError();
      dynamicBytes = *size;
    }
    steps.push_back(
        json::Object{{"launch", launch.getKernelName().getValue()},
                     {"grid", std::move(*grid)},
                     {"block", std::move(*block)},
                     {"dynamic_shared_bytes", dynamicBytes},
                     {"operands", numbersOf(launch.getKernelOperands())}});
    return Error::success();
  }

  Error addStep(mlir::Operation &op) {
    if (isa<mlir::bufferization::ToBufferOp, mlir::bufferization::ToTensorOp>(
            op)) {
      auto number = numbers.find(op.getOperand(0));
      if (number != numbers.end()) {
        int64_t same = number->second; // Insertion may move the entry.
        numbers[op.getResult(0)] = same;
      }
      return Error::success();
    }
    if (auto launch = dyn_cast<mlir::gpu::LaunchFuncOp>(op))
      return addLaunch(launch);
    if (isa<mlir::func::ReturnOp>(op)) {
      results = numbersOf(op.getOperands());
      return Error::success();
    }
    if (isa<mlir::memref::AllocOp>(op)) {
      addResults(op);
      return Error::success();
    }
    // Scalars, such as sizes of launches.
    bool isShaped = any_of(op.getOperandTypes(), IsaPred<mlir::ShapedType>) ||
                    any_of(op.getResultTypes(), IsaPred<mlir::ShapedType>);
    if (isa<mlir::memref::DeallocOp>(op) ||
        (!isShaped && mlir::isMemoryEffectFree(&op)))
      return Error::success();
    json::Object step;
    if (auto call = dyn_cast<mlir::func::CallOp>(op))
      step["call"] = call.getCallee();
    else
      step["op"] = op.getName().getStringRef();
    step["operands"] = numbersOf(op.getOperands());
    step["results"] = addResults(op);
    steps.push_back(std::move(step));
    return Error::success();
  }

  mlir::func::FuncOp function;
  /// The number of the buffer of each tensor and memref. Numbers count from 0:
  /// the arguments first, then `buffers`.
  DenseMap<mlir::Value, int64_t> numbers;
  int64_t count = 0;
  json::Array buffers, steps, results;
};
} // namespace

Expected<json::Value> pruner::launchTable(mlir::ModuleOp module,
                                          StringRef chip) {
  json::Array functions;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (function.isExternal())
      continue;
    auto table = FunctionTable(function).write();
    if (!table)
      return table.takeError();
    functions.push_back(std::move(*table));
  }
  return json::Object{{"chip", chip}, {"functions", std::move(functions)}};
}
