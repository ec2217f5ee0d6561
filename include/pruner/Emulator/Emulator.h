//===- Emulator.h - run GPU kernels on the host -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// The checks that the emulator makes while it runs a kernel.
struct EmulatorOptions {
  /// Report two threads of a block that access the same element of workgroup
  /// memory between two barriers, if at least one writes. Also report every
  /// access to the destination of an asynchronous copy before its wait.
  bool checkRaces = true;
  /// The same for global memory: between the threads of a block as above, and
  /// between any two blocks, because nothing orders blocks. Costs 40 bytes per
  /// element of every argument.
  bool checkGlobalRaces = false;
  /// Report an index outside of the static shape of its memref, and an address
  /// that violates the `alignment` of its op.
  bool checkBounds = true;
  /// Threads that run in lockstep for gpu.shuffle and gpu.subgroup_reduce.
  unsigned warpSize = 32;
  /// LLVM's optimization level for the checked kernel, 0 to 2. For a kernel
  /// that does little, 0 is several times faster in total, because checks make
  /// the code long.
  unsigned optLevel = 1;
  /// Stack of one thread in addition to its private buffers. Without
  /// optimization every value has a slot on the stack.
  uint64_t stackBytes = 64 << 10;
  /// Bytes after gpu.dynamic_shared_memory.
  int64_t dynamicSharedBytes = 0;
  /// Arguments to fill with NaNs before the launch: the outputs that are not
  /// read.
  llvm::SmallVector<unsigned, 2> poisonedArguments;
};

/// Statistics of one launch. Counts are over all threads of all blocks.
struct EmulatorReport {
  uint64_t blocks = 0;
  uint64_t threads = 0;
  /// Arrivals of threads at a barrier.
  uint64_t barriers = 0;
  /// Warp-wide exchanges, counted once per warp.
  uint64_t shuffles = 0;
  uint64_t asyncCopies = 0;
  /// Accesses that were checked for races.
  uint64_t sharedAccesses = 0;
  uint64_t globalAccesses = 0;
};

/// A kernel compiled for the host. Run it from one operating system thread at a
/// time. It remains usable after a failed run.
class EmulatedKernel {
public:
  virtual ~EmulatedKernel();

  /// Clones the `gpu.module` that contains `kernel` (the first one in `module`
  /// with a kernel of that name) and compiles the kernel. `module` is not
  /// changed. Dialects that the lowering needs are loaded into the context.
  ///
  /// The kernel may use gpu (ids, barrier, shuffle, subgroup_reduce,
  /// all_reduce), nvgpu.device_async_*, scf, affine, arith, math, vector and
  /// memref ops over arguments of static shape. Any other op is an error that
  /// names the op and its location.
  static llvm::Expected<std::unique_ptr<EmulatedKernel>>
  compile(mlir::ModuleOp module, llvm::StringRef kernel,
          const EmulatorOptions &options = {});

  /// Runs the blocks one after the other, with the threads of a block as
  /// fibers. `arguments` has one entry per kernel argument: for a memref the
  /// address of its first element (aligned to 64 bytes, like device
  /// allocations), for a scalar the address of its value. Workgroup memory
  /// holds NaNs at the start of a block. The first violated rule ends the
  /// launch with an error that names the threads, the ops and the element.
  virtual llvm::Expected<EmulatorReport>
  run(LaunchExtent grid, LaunchExtent block,
      llvm::ArrayRef<void *> arguments) = 0;

  /// Bytes of each argument, 0 for a scalar.
  virtual llvm::ArrayRef<uint64_t> argumentBytes() const = 0;
};

/// `EmulatedKernel::compile` and one run. Generated code runs in the caller's
/// process; isolate it if the kernel may not terminate.
llvm::Expected<EmulatorReport>
emulateKernel(mlir::ModuleOp module, llvm::StringRef kernel, LaunchExtent grid,
              LaunchExtent block, llvm::ArrayRef<void *> arguments,
              const EmulatorOptions &options = {});

} // namespace pruner

#endif // PRUNER_EMULATOR_EMULATOR_H
