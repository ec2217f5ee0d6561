//===- KernelInfo.h - what the runtime knows about a kernel -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_EMULATOR_KERNELINFO_H
#define PRUNER_LIB_EMULATOR_KERNELINFO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pruner::emulator {

/// The function that a lowered kernel becomes.
inline constexpr char entryName[] = "pruner_emulated";

/// Threads that a block may have.
inline constexpr int64_t maxBlockThreads = 1024;

enum class AccessKind : uint8_t { Read, Write, Atomic, Synchronize };

/// One op of the kernel that may appear in a message.
struct Site {
  /// Such as `memref.store at "fill"` or `gpu.barrier at k.mlir:3:5`.
  std::string description;
  AccessKind kind = AccessKind::Synchronize;
  /// Bytes that the op touches, and bytes of one of its elements.
  uint64_t bytes = 0;
  uint64_t elementBytes = 1;
  /// What the address is a multiple of by the word of the op.
  uint64_t alignment = 1;
};

/// A buffer that threads share: a workgroup allocation or an argument.
struct Buffer {
  /// Such as `workgroup buffer 0 (memref<16xf32>)`; empty for scalars.
  std::string description;
  /// An argument that is passed by value.
  bool scalar = false;
  uint64_t bytes = 0;
  uint64_t elementBytes = 1;
  /// Shape, to turn an element number into indices; empty where the layout is
  /// not row-major without gaps.
  llvm::SmallVector<int64_t, 4> shape;
};

/// A kernel as a host function of: the kernel's arguments, the workgroup
/// buffers, and 12 indices (block id, thread id, block extent, grid extent).
struct LoweredKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Site> sites;
  std::vector<Buffer> arguments;
  std::vector<Buffer> workgroup;
  /// Private buffers of one thread.
  uint64_t privateBytes = 0;
};

/// Which instrumentation to add.
struct LoweringOptions {
  bool checkRaces = true;
  bool checkGlobal = false;
  bool checkBounds = true;
  unsigned warpSize = 32;
  int64_t dynamicSharedBytes = 0;
};

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_KERNELINFO_H
