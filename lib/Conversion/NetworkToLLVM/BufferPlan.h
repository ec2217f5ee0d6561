//===- BufferPlan.h - buffers and where they lie ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERPLAN_H
#define PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERPLAN_H

#include "BufferFlow.h"

#include "pruner/Support/MemoryPlan.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace pruner {

/// Whether a C program can hold elements of this type.
bool isElementOfC(mlir::Type type);

/// Bytes of an element in memory: what LLVM stores it in.
int64_t elementBytes(mlir::Type type);

/// Bytes of a tensor or buffer of static shape; see Support/Sizes.h.
int64_t bufferBytes(mlir::ShapedType type);

/// A buffer of the workspace: it lives from one operation of the function's
/// block to another.
struct Buffer : PlannedBuffer {
  mlir::memref::AllocOp op;
  /// The buffer that this one is a part of, and where in it; null for most.
  Buffer *whole = nullptr;
  int64_t within = 0;
};

/// Finds the buffers of `body` that are copied into a stretch of another one at
/// the end of their lives, and makes them parts of that, if nothing else uses
/// the stretch meanwhile and it is aligned to `alignment` bytes: what is
/// written to the buffer is then where it belongs. The copies are erased, the
/// lives of the others extended. `position` numbers the operations of `body`,
/// as the lives do.
void joinParts(llvm::MutableArrayRef<Buffer> buffers, mlir::Block &body,
               const BufferFlow &flow, int64_t alignment,
               llvm::function_ref<int64_t(mlir::Operation *)> position);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERPLAN_H
