//===- Copies.h - ops that move tensors -------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_EXTRACTTASKS_COPIES_H
#define PRUNER_LIB_CONVERSION_EXTRACTTASKS_COPIES_H

#include "pruner/Recognition/OpClass.h"

namespace pruner {

/// A copy that a network makes between its tasks.
struct Copy {
  int64_t bytes = 0;  ///< Read and written. 0 where shapes are dynamic.
  std::string reason; ///< Why it is made; empty if nothing moves.
};

/// What `op`, a slice or concatenation, copies once its network is compiled.
/// What is a prefix of its tensor in memory, or is read by ops that take it
/// where it lies, is not copied; nor is the result of a task or op that a
/// concatenation is the last to use and that is a stretch of that in memory:
/// the plan for the network's memory puts it there in the first place.
Copy copyOf(mlir::tensor::ExtractSliceOp op);
Copy copyOf(mlir::tensor::InsertSliceOp op);
Copy copyOf(mlir::tensor::ConcatOp op);

/// What any op of a network is to task extraction: ops that copy or gather
/// tensors are work outside of tasks, too.
OpClass classifyInNetwork(mlir::Operation *op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_COPIES_H
