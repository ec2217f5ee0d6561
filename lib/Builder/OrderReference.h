//===- OrderReference.h - references that walk along memory -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_BUILDER_ORDERREFERENCE_H
#define PRUNER_LIB_BUILDER_ORDERREFERENCE_H

#include "mlir/IR/BuiltinOps.h"

namespace pruner {

/// Moves the loop over the last coordinate of the results of every reduction to
/// the innermost place, or, where rows are short, that over the longest of the
/// others, and transposes inputs and results that it would otherwise walk
/// across: the innermost loop runs along memory, and far. No sum changes its
/// order.
void orderReference(mlir::ModuleOp module);

} // namespace pruner

#endif // PRUNER_LIB_BUILDER_ORDERREFERENCE_H
