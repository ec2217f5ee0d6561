//===- OrderReference.h - contiguous accesses in references -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_BUILDER_ORDERREFERENCE_H
#define PRUNER_LIB_BUILDER_ORDERREFERENCE_H

#include "mlir/IR/BuiltinOps.h"

namespace pruner {

/// Reorders the loops of every reduction so that the innermost loop runs along
/// memory and is long. It is the loop over the last coordinate of the results
/// or, if rows are short, over the longest other coordinate. Inputs and results
/// with other layouts are transposed. The order of sums does not change.
void orderReference(mlir::ModuleOp module);

} // namespace pruner

#endif // PRUNER_LIB_BUILDER_ORDERREFERENCE_H
