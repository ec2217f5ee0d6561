//===- SlicedTask.cpp - a task in parts along its first dimension ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SlicedTask.h"

#include "pruner/Recognition/ScalarOps.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pruner;

namespace {
/// Finds the dimension of each value that runs along the first dimension of the
/// results.
class Slicer {
public:
  explicit Slicer(func::FuncOp function) : function(function) {}

  bool run() {
    for (Value result : function.front().getTerminator()->getOperands())
      if (!add(result, 0))
        return false;
    for (Operation &op : llvm::reverse(function.front().without_terminator()))
      if (!visit(&op))
        return false;
    // Values without the dimension, which all parts would compute.
    for (Operation &op : function.front().without_terminator())
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        (dims.contains(op.getResult(0)) ? sliced : repeated) +=
            double(numPoints(linalgOp));
    return llvm::all_of(function.getArguments(), [&](Value argument) {
      auto *found = dims.find(argument);
      return found == dims.end() || found->second == 0;
    });
  }

  int64_t extent() const { return length; }
  bool slices(Value value) const { return dims.contains(value); }
  /// The points of ops that are sliced, and of all others.
  double sliced = 0, repeated = 0;

  /// Gives all sliced values `size` positions along the dimension.
  void resize(int64_t size) {
    for (auto [value, dim] : dims) {
      auto type = cast<RankedTensorType>(value.getType());
      SmallVector<int64_t> shape(type.getShape());
      shape[dim] = size;
      value.setType(type.clone(shape));
    }
    auto results = function.front().getTerminator()->getOperandTypes();
    function.setFunctionType(FunctionType::get(
        function.getContext(), function.front().getArgumentTypes(), results));
  }

private:
  bool add(Value value, int64_t dim) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || dim >= type.getRank() || !type.hasStaticShape())
      return false;
    if (length < 0)
      length = type.getDimSize(dim);
    return type.getDimSize(dim) == length &&
           dims.insert({value, dim}).first->second == dim &&
           !whole.contains(value);
  }
  /// `value` is used as a whole.
  bool keep(Value value) {
    whole.insert(value);
    return !dims.contains(value);
  }

  bool visit(Operation *op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    bool isSliced = llvm::any_of(
        op->getResults(), [&](Value result) { return dims.contains(result); });
    if (!isSliced)
      return llvm::all_of(op->getOperands(),
                          [&](Value operand) { return keep(operand); });
    if (isa<tensor::EmptyOp>(op))
      return op->getNumOperands() == 0;
    if (!linalgOp || linalgOp.hasIndexSemantics())
      return false;
    // The loop along the dimension.
    std::optional<unsigned> loop;
    for (OpResult result : op->getResults()) {
      auto *found = dims.find(result);
      if (found == dims.end())
        return false;
      AffineMap map = linalgOp.getIndexingMapMatchingResult(result);
      auto expr = dyn_cast<AffineDimExpr>(map.getResult(found->second));
      if (!expr || (loop && *loop != expr.getPosition()))
        return false;
      loop = expr.getPosition();
    }
    if (linalgOp.getIteratorTypesArray()[*loop] !=
        utils::IteratorType::parallel)
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
      std::optional<int64_t> dim;
      for (auto [r, expr] : llvm::enumerate(map.getResults())) {
        if (!expr.isFunctionOfDim(*loop))
          continue;
        if (dim || !isa<AffineDimExpr>(expr))
          return false;
        dim = r;
      }
      bool isScalar = !isa<RankedTensorType>(operand.get().getType());
      if (!(isScalar || (dim ? add(operand.get(), *dim) : keep(operand.get()))))
        return false;
    }
    return true;
  }

  func::FuncOp function;
  int64_t length = -1;
  llvm::MapVector<Value, int64_t> dims;
  llvm::DenseSet<Value> whole;
};
} // namespace

std::optional<SlicedTask> pruner::sliceTask(const TaskProgram &task,
                                            int64_t bytes) {
  OwningOpRef<ModuleOp> module = task.clone();
  auto function = module->lookupSymbol<func::FuncOp>(task.entry());
  // A value and a bound.
  constexpr int64_t kBytesPerElement = 16;
  int64_t between = 0;
  function.walk([&](linalg::LinalgOp op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && tensor.hasStaticShape())
        between = addSizes(between,
                           mulSizes(tensor.getNumElements(), kBytesPerElement));
  });
  if (between <= bytes)
    return std::nullopt;
  Slicer slicer(function);
  if (!slicer.run() || slicer.extent() < 2)
    return std::nullopt;
  int64_t parts = 2;
  while (slicer.extent() % parts ||
         (between / parts > bytes && parts < slicer.extent()))
    ++parts;
  if (slicer.repeated * double(parts) > slicer.sliced / 8)
    return std::nullopt;
  std::vector<bool> slicesInput;
  for (Value argument : function.getArguments())
    slicesInput.push_back(slicer.slices(argument));
  slicer.resize(slicer.extent() / parts);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  auto part = TaskProgram::parse(*module->getContext(), text);
  if (!part) {
    llvm::consumeError(part.takeError());
    return std::nullopt;
  }
  return SlicedTask{std::move(*part), parts, std::move(slicesInput)};
}
