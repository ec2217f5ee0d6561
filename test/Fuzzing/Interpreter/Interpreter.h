//===- Interpreter.h - linalg programs, with bounds -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// A tensor of static shape: an element of rank 0 has the shape {}. Elements
/// in row-major order.
struct RangeTensor {
  std::vector<int64_t> shape;
  std::vector<Cell> cells;
};
/// Reshapes share elements.
using RangeTensorRef = std::shared_ptr<const RangeTensor>;

/// Evaluates functions of linalg, tensor, arith, math, scf, cf and func on
/// tensors of static shape, literally: operations in the order of the program,
/// calls and loops as often as they are made, integers at the width of their
/// type. Each element is the range of values that it may have when
///
/// * every floating-point operation rounds to the type that is written, or, in
///   f32, f64 and where its flags allow contraction, not at all (fused
///   multiply-adds),
/// * mathematical functions are wrong by a few units in the last place,
/// * sums are added in any order; other reductions run as they are written.
///
/// Comparisons that fall either way give both answers, selections by them join
/// both operands; a branch on one fails. It uses none of the passes of this
/// project: it is what they are held to. What a program leaves undefined
/// (division by zero, indices out of bounds, elements of tensor.empty that are
/// read), what takes more than `kMostBlocks` blocks, and what is not
/// implemented fail with a reason.
class Interpreter {
public:
  /// The values of the results of `function` for these arguments.
  llvm::Expected<std::vector<RangeTensorRef>>
  run(mlir::func::FuncOp function, llvm::ArrayRef<RangeTensorRef> arguments);

  /// One operation at a time, in order, for who builds the program meanwhile.
  void set(mlir::Value value, RangeTensorRef tensor) {
    values[value] = std::move(tensor);
  }
  RangeTensorRef get(mlir::Value value) const { return values.lookup(value); }
  llvm::Error evaluate(mlir::Operation *op);

  /// How many blocks of control flow a run may enter, and how many calls may
  /// be open at once.
  static constexpr unsigned kMostBlocks = 1 << 16, kMostCalls = 16;

private:
  friend class ScalarProgram;
  using Tensors = std::vector<RangeTensorRef>;

  llvm::Expected<Tensors> valuesOf(mlir::ValueRange operands) const;
  /// A scalar that is one number for certain; `what` names it in the error.
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
  llvm::Error evaluateElements(mlir::Operation *op, RangeTensor &result);
  llvm::Error evaluateRelayout(mlir::Operation *op, RangeTensor &result);
  llvm::Error evaluateLinalgOp(mlir::Operation *op);
  llvm::Error evaluateSoftmax(mlir::Operation *op);
  llvm::Error evaluateScalarOp(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, RangeTensorRef> values;
  unsigned blocks = 0, calls = 0;
};

/// Elements as they lie in memory, and back: i1 takes a byte.
Cell readElement(mlir::Type type, const void *data, int64_t index);
/// How many bytes an element takes.
int64_t storedBytes(mlir::Type type);

/// What a comparison of computed elements with their ranges found.
struct RangeVerdict {
  int64_t elements = 0;
  /// Elements whose range is wider than a tenth of the largest magnitude: a
  /// comparison with them says little.
  int64_t undecided = 0;
  /// The first element outside its range, in words.
  std::string wrong;
};
/// `data` may be null: then nothing is compared but what is undecided counted.
RangeVerdict checkElements(mlir::Type elementType, const RangeTensor &expected,
                           const void *data);

} // namespace pruner

#endif // PRUNER_FUZZING_INTERPRETER_INTERPRETER_H
