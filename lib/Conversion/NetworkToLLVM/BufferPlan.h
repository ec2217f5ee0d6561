//===- BufferPlan.h - buffers and their positions ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERPLAN_H
#define PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERPLAN_H

#include "BufferFlow.h"

#include "pruner/Support/MemoryPlan.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace pruner {

/// True if C has a type for such elements.
bool isElementOfC(mlir::Type type);

/// Bytes of an element in memory, as LLVM stores it.
int64_t elementBytes(mlir::Type type);

/// Bytes of a tensor or buffer of static shape; see Support/Sizes.h.
int64_t bufferBytes(mlir::ShapedType type);

/// Code addresses the constants of a library relative to itself, with 32 bits.
inline constexpr int64_t kMaxConstantBytes = INT32_MAX;

/// A buffer of the workspace. Its lifetime is an interval of operations of the
/// function's block.
struct Buffer : PlannedBuffer {
  mlir::memref::AllocOp op;
  /// The buffer that contains this one, and the position in it; null for most.
  Buffer *whole = nullptr;
  int64_t within = 0;
};

/// Finds the buffers of `body` that are copied into a contiguous part of
/// another buffer at the end of their lifetimes, and makes them that part. This
/// requires that nothing else uses the part meanwhile and that it is aligned to
/// `alignment` bytes. Erases the copies and extends the lifetimes of the
/// containing buffers. `position` numbers the operations of `body`, as the
/// lifetimes do.
void joinParts(llvm::MutableArrayRef<Buffer> buffers, mlir::Block &body,
               const BufferFlow &flow, int64_t alignment,
               llvm::function_ref<int64_t(mlir::Operation *)> position);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NETWORKTOLLVM_BUFFERPLAN_H
