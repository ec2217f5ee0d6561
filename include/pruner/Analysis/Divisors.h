//===- Divisors.h - what a task divides integers by -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_DIVISORS_H
#define PRUNER_ANALYSIS_DIVISORS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// What the elements of a tensor argument have to do with the divisors of a
/// function's integer quotients and remainders, none of which may be zero.
enum class DivisorUse {
  None,   ///< Nothing: any element will do.
  Direct, ///< They are divisors, perhaps extended: zero must not be among them.
  Computed, ///< Divisors are computed from them, in a way that is not looked
            ///< at.
};

/// One entry for each argument of `task`, a function of linalg ops on tensors.
/// The worst that its elements are used for.
llvm::SmallVector<DivisorUse> findDivisors(mlir::func::FuncOp task);

} // namespace pruner

#endif // PRUNER_ANALYSIS_DIVISORS_H
