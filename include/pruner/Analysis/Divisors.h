//===- Divisors.h - arguments used as integer divisors ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_ANALYSIS_DIVISORS_H
#define PRUNER_ANALYSIS_DIVISORS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// How a function uses the elements of a tensor argument in the divisors of
/// integer quotients and remainders, which must not be zero.
enum class DivisorUse {
  None,     ///< Not used as divisors; any value is valid.
  Direct,   ///< Divisors themselves, perhaps extended; zero is invalid.
  Computed, ///< Divisors are computed from them by other operations.
};

/// Returns the strictest use of each argument of `task`, a function of linalg
/// ops on tensors.
llvm::SmallVector<DivisorUse> findDivisors(mlir::func::FuncOp task);

} // namespace pruner

#endif // PRUNER_ANALYSIS_DIVISORS_H
