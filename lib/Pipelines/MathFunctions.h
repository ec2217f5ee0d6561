//===- MathFunctions.h - functions as polynomials ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_PIPELINES_MATHFUNCTIONS_H
#define PRUNER_LIB_PIPELINES_MATHFUNCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace pruner {

/// Patterns that write exp, exp2, erf and tanh of f32, scalars and vectors, as
/// few operations without branches or tables. Errors: see pruner-expand-math.
void populateMathFunctionPatterns(mlir::RewritePatternSet &patterns);

} // namespace pruner

#endif // PRUNER_LIB_PIPELINES_MATHFUNCTIONS_H
