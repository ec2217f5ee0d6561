//===- Copies.h - ops that copy tensors -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_EXTRACTTASKS_COPIES_H
#define PRUNER_LIB_CONVERSION_EXTRACTTASKS_COPIES_H

#include "pruner/Recognition/OpClass.h"

namespace pruner {

/// A copy of a network outside of its tasks.
struct Copy {
  int64_t bytes = 0;  ///< Bytes read and written; 0 if the shape is dynamic.
  std::string reason; ///< The reason of the copy; empty if nothing is copied.
};

/// The bytes that `op`, a slice or concatenation, copies in the compiled
/// network. Nothing is copied if the slice is a contiguous prefix of its
/// tensor, or if all its readers can read it in place. The operand of a
/// concatenation is not copied if a task or op computes it, the concatenation
/// is its last user, and it is contiguous in the result: the memory plan then
/// places it there.
Copy copyOf(mlir::tensor::ExtractSliceOp op);
Copy copyOf(mlir::tensor::InsertSliceOp op);
Copy copyOf(mlir::tensor::ConcatOp op);

/// Classifies any op of a network. Ops that copy or gather tensors count as
/// work outside of tasks.
OpClass classifyInNetwork(mlir::Operation *op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_COPIES_H
