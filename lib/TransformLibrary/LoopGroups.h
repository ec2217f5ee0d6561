//===- LoopGroups.h - loops for the dimensions of a task --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalization drops loops of one iteration and merges loops over contiguous
// elements: a pointwise convolution of 14x14 pixels becomes a product with 196
// columns. The tile sizes of a schedule refer to the dimensions of the task.
// These functions map each dimension to loops of the user's op.

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_LOOPGROUPS_H
#define PRUNER_LIB_TRANSFORMLIBRARY_LOOPGROUPS_H

#include "pruner/Program/Task.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// For each dimension of the task's anchor, the corresponding loops of `op`,
/// outer to inner. None if they do not match.
std::optional<llvm::SmallVector<llvm::SmallVector<unsigned, 2>>>
groupLoops(const TaskDesc &task, mlir::linalg::LinalgOp op);

/// Converts a tile of `size` iterations of a dimension to tiles of its loops,
/// whole inner loops first. `sizes` and `extents` have one entry per loop of
/// the op. The last loop with a part may get a larger tile than `size`
/// requires, never a smaller one.
void spreadTile(int64_t size, llvm::ArrayRef<unsigned> loops,
                llvm::ArrayRef<int64_t> extents,
                llvm::MutableArrayRef<int64_t> sizes);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_LOOPGROUPS_H
