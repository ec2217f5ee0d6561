//===- ReuseDistance.h - how far operands are away in a network -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_REUSEDISTANCE_H
#define PRUNER_ANALYSIS_REUSEDISTANCE_H

#include "pruner/Program/CacheState.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace pruner {

/// In which state of the caches each task function of `module` is called, by
/// the function. Functions that nobody calls are left out; of several calls
/// each operand has the median.
///
/// The network is followed as if it ran over and over, by LRU stack distances
/// in pages of 4 KiB (Mattson et al., 1970, computed as Olken 1985 does).
/// Weights and constants lie apart, all else in a workspace planned as
/// `pruner-plan-memory` does (without what that joins). What follows from
/// constants alone is taken to be computed ahead. A kernel is taken to go
/// through all its operands at once, from begin to end. Only the block of the
/// network's function is followed, and only tensors of static shape.
llvm::DenseMap<mlir::Operation *, CacheState>
reuseDistances(mlir::ModuleOp module);

} // namespace pruner

#endif // PRUNER_ANALYSIS_REUSEDISTANCE_H
