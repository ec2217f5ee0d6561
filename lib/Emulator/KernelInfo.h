//===- KernelInfo.h - data about a kernel for the runtime -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EMULATOR_KERNELINFO_H
#define PRUNER_LIB_EMULATOR_KERNELINFO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pruner::emulator {

/// The name of the host function of a lowered kernel.
inline constexpr char entryName[] = "pruner_emulated";

/// Maximum number of threads in a block.
inline constexpr int64_t maxBlockThreads = 1024;

enum class AccessKind : uint8_t { Read, Write, Atomic, Synchronize };

/// One op of the kernel, for messages.
struct Site {
  /// For example `memref.store at "fill"` or `gpu.barrier at k.mlir:3:5`.
  std::string description;
  AccessKind kind = AccessKind::Synchronize;
  /// Bytes that the op accesses, and bytes of one of its elements.
  uint64_t bytes = 0;
  uint64_t elementBytes = 1;
  /// The alignment that the op states.
  uint64_t alignment = 1;
};

/// A buffer that threads share: a workgroup allocation or an argument.
struct Buffer {
  /// For example `workgroup buffer 0 (memref<16xf32>)`; empty for scalars.
  std::string description;
  /// An argument passed by value.
  bool scalar = false;
  uint64_t bytes = 0;
  uint64_t elementBytes = 1;
  /// Shape, to convert an element number to indices; empty if the layout is not
  /// row-major and contiguous.
  llvm::SmallVector<int64_t, 4> shape;
};

/// A kernel as a host function. Its parameters are the arguments of the kernel,
/// the workgroup buffers, and 12 indices (block id, thread id, block extent,
/// grid extent).
struct LoweredKernel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Site> sites;
  std::vector<Buffer> arguments;
  std::vector<Buffer> workgroup;
  /// Bytes of the private buffers of one thread.
  uint64_t privateBytes = 0;
};

/// The instrumentation to add.
struct LoweringOptions {
  bool checkRaces = true;
  bool checkGlobal = false;
  bool checkBounds = true;
  unsigned warpSize = 32;
  int64_t dynamicSharedBytes = 0;
};

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_KERNELINFO_H
