//===- ReuseDistance.h - reuse distances in a network -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_ANALYSIS_REUSEDISTANCE_H
#define PRUNER_ANALYSIS_REUSEDISTANCE_H

#include "pruner/Program/CacheState.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace pruner {

/// Returns the cache state in which each task function of `module` is called.
/// Functions without calls are omitted. With several calls, each operand gets
/// the median.
///
/// The analysis assumes that the network runs repeatedly, and computes LRU
/// stack distances in pages of 4 KiB (Mattson et al., 1970, with the algorithm
/// of Olken, 1985). Weights and constants have memory of their own. All other
/// tensors share a workspace that is planned as `pruner-plan-memory` does,
/// without its merging of buffers. Values that depend only on constants count
/// as precomputed. A kernel is assumed to stream through all its operands
/// concurrently, from begin to end. Only the entry block of the network's
/// function and tensors of static shape are analyzed.
///
/// Where a part of the network has several forms, the state of a task does not
/// depend on the choice: the first forms are analyzed, then for other tasks the
/// network with all second forms, and so on.
llvm::DenseMap<mlir::Operation *, CacheState>
reuseDistances(mlir::ModuleOp module);

} // namespace pruner

#endif // PRUNER_ANALYSIS_REUSEDISTANCE_H
