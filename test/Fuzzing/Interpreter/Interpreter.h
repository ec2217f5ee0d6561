//===- Interpreter.h - evaluate linalg programs with bounds -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_INTERPRETER_INTERPRETER_H
#define PRUNER_FUZZING_INTERPRETER_INTERPRETER_H

#include "Fuzzing/Interpreter/Range.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// A tensor with its actual shape; a scalar has the shape {}. Elements are in
/// row-major order.
struct RangeTensor {
  std::vector<int64_t> shape;
  std::vector<Cell> cells;
};
/// Reshapes share elements.
using RangeTensorRef = std::shared_ptr<const RangeTensor>;

/// Evaluates functions of linalg, tensor, arith, math, scf, cf and func,
/// literally: operations in the order of the program,
/// calls and loops as often as they occur, integers at the width of their type.
/// Each element is the range of values that it may have if
///
/// * every floating-point operation rounds to its type or, in f32 and f64 and
///   where its flags allow contraction, does not round at all (fused
///   multiply-adds),
/// * mathematical functions are wrong by a few units in the last place,
/// * sums are added in any order; other reductions run in program order.
///
/// A comparison that may go either way gives both answers; a selection by it
/// joins both operands, and a branch on it fails. The interpreter uses no pass
/// of this project, because it checks them. It fails with a reason if the
/// program has undefined behavior (division by zero, indices out of bounds,
/// reads of tensor.empty), enters more than `kMostBlocks` blocks, or uses an
/// operation that is not implemented.
class Interpreter {
public:
  /// The values of the results of `function` for these arguments.
  llvm::Expected<std::vector<RangeTensorRef>>
  run(mlir::func::FuncOp function, llvm::ArrayRef<RangeTensorRef> arguments);

  /// Evaluates one operation at a time, in order, for callers that build the
  /// program meanwhile.
  void set(mlir::Value value, RangeTensorRef tensor) {
    values[value] = std::move(tensor);
  }
  RangeTensorRef get(mlir::Value value) const { return values.lookup(value); }
  llvm::Error evaluate(mlir::Operation *op);

  /// Maximum number of blocks of control flow that a run may enter, and of
  /// nested calls.
  static constexpr unsigned kMostBlocks = 1 << 16, kMostCalls = 16;

private:
  friend class ScalarProgram;
  using Tensors = std::vector<RangeTensorRef>;

  llvm::Expected<Tensors> valuesOf(mlir::ValueRange operands) const;
  /// A scalar that is a single number; `what` names it in the error.
  llvm::Expected<int64_t> integerOf(mlir::Value value, const char *what) const;
  llvm::Expected<llvm::SmallVector<int64_t>>
  integersOf(llvm::ArrayRef<mlir::OpFoldResult> values) const;
  /// The operands of the terminator that leaves the region.
  llvm::Expected<Tensors> runRegion(mlir::Region &region, Tensors arguments);

  bool isControlFlow(mlir::Operation *op) const;
  llvm::Error evaluateControlFlow(mlir::Operation *op);
  llvm::Expected<Tensors> evaluateFor(mlir::Operation *op);
  llvm::Expected<Tensors> evaluateWhile(mlir::Operation *op);
  llvm::Expected<Tensors> evaluateCall(mlir::Operation *op);
  llvm::Error evaluateTensorOp(mlir::Operation *op);
  llvm::Error evaluateData(mlir::Operation *op,
                           llvm::ArrayRef<RangeTensorRef> operands,
                           RangeTensor &whole);
  llvm::Error evaluateSlice(mlir::Operation *op, RangeTensor &result);
  llvm::Error evaluateElementwise(mlir::Operation *op,
                                  llvm::ArrayRef<RangeTensorRef> operands,
                                  RangeTensor &result);
  llvm::Expected<llvm::SmallVector<int64_t>>
  shapeOfResult(mlir::Operation *op,
                llvm::ArrayRef<RangeTensorRef> operands) const;
  llvm::Error evaluateElements(mlir::Operation *op, RangeTensor &result);
  llvm::Error evaluateRelayout(mlir::Operation *op, RangeTensor &result);
  llvm::Error evaluateLinalgOp(mlir::Operation *op);
  llvm::Error evaluateSoftmax(mlir::Operation *op);
  llvm::Error evaluateScalarOp(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, RangeTensorRef> values;
  unsigned blocks = 0, calls = 0;
};

/// Read and write elements as stored in memory; i1 takes a byte.
Cell readElement(mlir::Type type, const void *data, int64_t index);
/// The number of bytes of an element.
int64_t storedBytes(mlir::Type type);

/// The result of comparing computed elements with their ranges.
struct RangeVerdict {
  int64_t elements = 0;
  /// Elements whose range is wider than a tenth of the largest magnitude;
  /// a comparison has little meaning.
  int64_t undecided = 0;
  /// Describes the first element outside of its range.
  std::string wrong;
};
/// If `data` is null, only counts undecided elements.
RangeVerdict checkElements(mlir::Type elementType, const RangeTensor &expected,
                           const void *data);

} // namespace pruner

#endif // PRUNER_FUZZING_INTERPRETER_INTERPRETER_H
