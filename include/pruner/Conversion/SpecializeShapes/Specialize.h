//===- Specialize.h - one function for one size --------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_SPECIALIZESHAPES_SPECIALIZE_H
#define PRUNER_CONVERSION_SPECIALIZESHAPES_SPECIALIZE_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace pruner {

/// A static version of a function of dynamic shape. Calls of smaller sizes are
/// padded to its size.
struct StaticFunction {
  mlir::func::FuncOp function;
  /// The last argument is a tensor<i64> with the size of the call.
  bool takesSize = false;
  /// Results at one position of the dimension depend only on arguments at the
  /// same position, so a call may run in pieces.
  bool independent = false;
};

/// The function `entry`, or the only public one with `pruner.range` if `entry`
/// is empty. Fails with a diagnostic.
mlir::FailureOr<mlir::func::FuncOp> findRanged(mlir::ModuleOp module,
                                               llvm::StringRef entry);

/// The only range of the arguments of `function`. Fails with a diagnostic if
/// there is no range, if there are several names, or if a dynamic dimension has
/// no range.
mlir::FailureOr<RangeAttr> rangeOf(mlir::func::FuncOp function);

/// Inserts a copy of `function` after it in which the dimensions named by the
/// range have extent `size`. The copy is correct for calls of every size in
/// `calls` (ascending, the last one is `size`). The arguments of such a call
/// are padded at the end of these dimensions by arbitrary values; results
/// beyond the size of the call are unspecified.
///
/// If an op reduces over such a dimension, its operands are masked with the
/// neutral element of the reduction. Indices, divisors and checks that are
/// computed from padding are replaced by harmless values. If the function
/// computes with the size, it uses the size of the call.
///
/// First erases unused results in `function`. Fails with a diagnostic at the op
/// that cannot be padded. If `calls` contains only `size`, there is no padding,
/// and only an op whose shape does not follow from the size fails.
mlir::FailureOr<StaticFunction>
specializeFunction(mlir::func::FuncOp function, RangeAttr range, int64_t size,
                   llvm::ArrayRef<int64_t> calls);

/// All sizes up to `size`, for calls and pieces of calls.
llvm::SmallVector<int64_t> callsUpTo(int64_t size);
/// `size` and the sizes of `range` that are greater than `below` and smaller
/// than `size`.
llvm::SmallVector<int64_t> callsUpTo(RangeAttr range, int64_t below,
                                     int64_t size);

/// An interval of sizes that one function runs.
///
/// `planSizes` assigns sizes of `range` to the functions for `sizes`
/// (ascending), one call of which takes `seconds`. If calls may run in pieces,
/// it minimizes the sum of the times; otherwise it takes the fastest function
/// that is large enough. `least[k]` is the smallest size that function k may
/// run.
struct Interval {
  int64_t from, to;
  unsigned use;
};
std::vector<Interval> planSizes(RangeAttr range, bool independent,
                                llvm::ArrayRef<int64_t> sizes,
                                llvm::ArrayRef<double> seconds,
                                llvm::ArrayRef<int64_t> least);

/// Chooses the fewest of `candidates` (ascending) such that no call of a size
/// in `range` is predicted to take more than 1 + `waste` times as long as with
/// a function of exactly its size. `seconds[n]` is the predicted time of the
/// function of size n. Without pieces the result is the minimum. With pieces it
/// is greedy: the candidate that helps most is added until the condition holds,
/// and then unnecessary ones are removed. If the condition cannot be met, all
/// candidates are chosen.
llvm::SmallVector<int64_t> chooseSizes(RangeAttr range, bool independent,
                                       llvm::ArrayRef<int64_t> candidates,
                                       llvm::ArrayRef<double> seconds,
                                       double waste);

/// The time of a call of each size, by index, under the plan for `sizes`;
/// infinite for a size without a function.
std::vector<double> plannedSeconds(RangeAttr range, bool independent,
                                   llvm::ArrayRef<int64_t> sizes,
                                   llvm::ArrayRef<double> seconds);

} // namespace pruner

#endif // PRUNER_CONVERSION_SPECIALIZESHAPES_SPECIALIZE_H
