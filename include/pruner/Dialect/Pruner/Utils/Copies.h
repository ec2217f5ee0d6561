//===- Copies.h - how much code a kernel becomes -------------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_COPIES_H
#define PRUNER_DIALECT_PRUNER_UTILS_COPIES_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

namespace pruner {

/// Emits an error at a statement that lowering would copy more than 65536
/// times. The number of copies is the product of `unroll` and of the extents of
/// all expanded loops. These are `unroll` and `vector` loops; for GPUs also
/// `serial` loops that do not reduce, and the surrounding `unroll` and
/// `vthread` bands.
mlir::LogicalResult checkCopies(KernelOp kernel);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_COPIES_H
