//===- LoopGroups.h - a task's dimensions as loops of an op -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Normal form drops loops of one iteration and makes one loop of several that
// run over neighbouring elements: a pointwise convolution of 14x14 pixels is a
// product with 196 columns. The tile sizes of a schedule are those of the
// task's dimensions; here is which loops of the user's op each of them stands
// for.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_LOOPGROUPS_H
#define PRUNER_LIB_TRANSFORMLIBRARY_LOOPGROUPS_H

#include "pruner/Program/Task.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// For each dimension of the task's anchor the loops of `op` that it stands
/// for, outer to inner. None if they do not fit together.
std::optional<llvm::SmallVector<llvm::SmallVector<unsigned, 2>>>
groupLoops(const TaskDesc &task, mlir::linalg::LinalgOp op);

/// Tiles of `size` iterations of a dimension, as tiles of its loops: whole
/// inner loops first. `sizes` has one entry per loop of the op, as has
/// `extents`. The last loop with a part may come out larger than `size` asks,
/// never smaller.
void spreadTile(int64_t size, llvm::ArrayRef<unsigned> loops,
                llvm::ArrayRef<int64_t> extents,
                llvm::MutableArrayRef<int64_t> sizes);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_LOOPGROUPS_H
