//===- Emulator.h - run GPU kernels on the host -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_EMULATOR_EMULATOR_H
#define PRUNER_EMULATOR_EMULATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <memory>

namespace pruner {

/// A launch extent, in blocks or in threads.
struct LaunchExtent {
  int64_t x = 1, y = 1, z = 1;
  int64_t count() const { return x * y * z; }
};

/// What the emulator watches while it runs a kernel.
struct EmulatorOptions {
  /// Report two threads of a block that touch the same element of workgroup
  /// memory between two barriers, one of them writing, and any access to the
  /// destination of an asynchronous copy before its wait.
  bool checkRaces = true;
  /// The same for global memory: between the threads of a block as above, and
  /// between two blocks always, since nothing orders blocks. Costs 40 bytes
  /// per element of every argument.
  bool checkGlobalRaces = false;
  /// Report an index outside the static shape of the memref it is used on, and
  /// an address that breaks the `alignment` that its op promises.
  bool checkBounds = true;
  /// Threads that run in lockstep for gpu.shuffle and gpu.subgroup_reduce.
  unsigned warpSize = 32;
  /// How well LLVM optimises the checked kernel, 0 to 2. For a kernel that does
  /// little, 0 is several times faster in all: checks make long code.
  unsigned optLevel = 1;
  /// Stack of one thread, beside what its private buffers need. Without
  /// optimisation every value has a place on it.
  uint64_t stackBytes = 64 << 10;
  /// Bytes behind gpu.dynamic_shared_memory.
  int64_t dynamicSharedBytes = 0;
  /// Arguments filled with NaNs before the launch: the pure outputs.
  llvm::SmallVector<unsigned, 2> poisonedArguments;
};

/// What one launch did. Counts are over all threads of all blocks.
struct EmulatorReport {
  uint64_t blocks = 0;
  uint64_t threads = 0;
  /// Arrivals of threads at a barrier.
  uint64_t barriers = 0;
  /// Warp-wide exchanges, counted once a warp.
  uint64_t shuffles = 0;
  uint64_t asyncCopies = 0;
  /// Accesses that went through the race check.
  uint64_t sharedAccesses = 0;
  uint64_t globalAccesses = 0;
};

/// A kernel compiled for the host. One run at a time in one operating system
/// thread; a run that fails leaves the kernel usable.
class EmulatedKernel {
public:
  virtual ~EmulatedKernel();

  /// Clones the `gpu.module` that holds `kernel` (the first one in `module`
  /// with a kernel of that name) and compiles the kernel. `module` is not
  /// changed. Dialects that the lowering needs are loaded into the context.
  ///
  /// The kernel may use gpu (ids, barrier, shuffle, subgroup_reduce,
  /// all_reduce), nvgpu.device_async_*, scf, affine, arith, math, vector and
  /// memref ops over arguments of static shape. Anything else is an error that
  /// names the op and its location.
  static llvm::Expected<std::unique_ptr<EmulatedKernel>>
  compile(mlir::ModuleOp module, llvm::StringRef kernel,
          const EmulatorOptions &options = {});

  /// Runs every block in turn, the threads of a block as fibers. `arguments`
  /// has one entry per kernel argument: for a memref the address of its first
  /// element (aligned to 64 bytes, as device allocations are), for a scalar the
  /// address of its value. Workgroup memory holds NaNs at the start of a block.
  /// The first violated rule ends the launch with an error that says which
  /// threads, which ops and where.
  virtual llvm::Expected<EmulatorReport>
  run(LaunchExtent grid, LaunchExtent block,
      llvm::ArrayRef<void *> arguments) = 0;

  /// Bytes of each argument, 0 for a scalar.
  virtual llvm::ArrayRef<uint64_t> argumentBytes() const = 0;
};

/// `EmulatedKernel::compile`, then one run. Generated code runs in the
/// caller's process: isolate it where the kernel is not trusted to terminate.
llvm::Expected<EmulatorReport>
emulateKernel(mlir::ModuleOp module, llvm::StringRef kernel, LaunchExtent grid,
              LaunchExtent block, llvm::ArrayRef<void *> arguments,
              const EmulatorOptions &options = {});

} // namespace pruner

#endif // PRUNER_EMULATOR_EMULATOR_H
