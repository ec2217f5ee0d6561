//===- Specialize.h - one function for one size --------------- -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_SPECIALIZESHAPES_SPECIALIZE_H
#define PRUNER_CONVERSION_SPECIALIZESHAPES_SPECIALIZE_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace pruner {

/// A function of dynamic shape, made static for calls that are padded to one
/// size.
struct StaticFunction {
  mlir::func::FuncOp function;
  /// Its last argument is a tensor<i64> with the size of the call.
  bool takesSize = false;
  /// Results at a place of the dimension depend on arguments at the same place
  /// alone, so a call may be made in pieces.
  bool independent = false;
};

/// The function `entry`, or the only public one with `pruner.range` if that is
/// empty. Fails with a diagnostic.
mlir::FailureOr<mlir::func::FuncOp> findRanged(mlir::ModuleOp module,
                                               llvm::StringRef entry);

/// The one range of the arguments of `function`. Fails with a diagnostic where
/// there is none, where there are several names, and where a dynamic dimension
/// has none.
mlir::FailureOr<RangeAttr> rangeOf(mlir::func::FuncOp function);

/// A copy of `function`, behind it, in which the dimensions called by the range
/// are of extent `size`. It is right for calls of every size in `calls`
/// (ascending, the last one is `size`) whose arguments are padded at the end of
/// these dimensions by anything; results beyond the size of the call are
/// unspecified. What reduces over such a dimension gets its operands masked by
/// the neutral element of the reduction; indices, divisors and checks that are
/// computed from padding are replaced by harmless ones; a size that is computed
/// with is the size of the call.
///
/// Results that nobody reads are erased from `function` first.
///
/// Fails with a diagnostic at the op that cannot be padded; with `calls` of
/// `size` alone, nothing is padded, and only an op whose shape does not follow
/// from the size fails.
mlir::FailureOr<StaticFunction>
specializeFunction(mlir::func::FuncOp function, RangeAttr range, int64_t size,
                   llvm::ArrayRef<int64_t> calls);

/// All sizes up to `size`: of calls and of pieces of calls.
llvm::SmallVector<int64_t> callsUpTo(int64_t size);
/// `size` and the sizes of `range` between `below`, without it, and `size`.
llvm::SmallVector<int64_t> callsUpTo(RangeAttr range, int64_t below,
                                     int64_t size);

/// Which of the functions for `sizes` (ascending), of which one call takes
/// `seconds`, are to run at which sizes of `range`. Where calls may be made in
/// pieces, those of the least sum of times; else the fastest that is large
/// enough. `least[k]` is the smallest size that function k may run.
struct Interval {
  int64_t from, to;
  unsigned use;
};
std::vector<Interval> planSizes(RangeAttr range, bool independent,
                                llvm::ArrayRef<int64_t> sizes,
                                llvm::ArrayRef<double> seconds,
                                llvm::ArrayRef<int64_t> least);

/// The fewest of `candidates` (ascending) by which no call of a size in `range`
/// is predicted to take more than 1 + `waste` times as long as by a function of
/// its own size. `seconds[n]` is what that takes. Without pieces these are the
/// fewest indeed; with pieces they are found by adding the candidate that helps
/// most and leaving out what is not missed. Of those that cannot do, all are
/// chosen.
llvm::SmallVector<int64_t> chooseSizes(RangeAttr range, bool independent,
                                       llvm::ArrayRef<int64_t> candidates,
                                       llvm::ArrayRef<double> seconds,
                                       double waste);

/// The time of a call of each size, by index, under the plan for `sizes`;
/// infinite where there is none.
std::vector<double> plannedSeconds(RangeAttr range, bool independent,
                                   llvm::ArrayRef<int64_t> sizes,
                                   llvm::ArrayRef<double> seconds);

} // namespace pruner

#endif // PRUNER_CONVERSION_SPECIALIZESHAPES_SPECIALIZE_H
