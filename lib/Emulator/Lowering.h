//===- Lowering.h - GPU kernel to host function -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_EMULATOR_LOWERING_H
#define PRUNER_LIB_EMULATOR_LOWERING_H

#include "KernelInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"

namespace pruner::emulator {

/// Brings the accesses of kernels into the few forms that can be watched:
/// affine ops, vector transfers and gathers become loads and stores of at most
/// one dimension, warp reductions become shuffles. `runPasses` runs
/// a pipeline on `module`.
mlir::LogicalResult prepareKernels(
    mlir::ModuleOp module, const LoweringOptions &options,
    llvm::function_ref<mlir::LogicalResult(mlir::OpPassManager &)> runPasses);

/// Takes the body of a prepared kernel into a host function. Errors are
/// reported at the op that the emulator cannot run.
mlir::FailureOr<LoweredKernel> lowerKernel(mlir::gpu::GPUFuncOp kernel,
                                           const LoweringOptions &options);

/// The upstream passes from `LoweredKernel::module` to the LLVM dialect.
void buildHostPipeline(mlir::OpPassManager &passes);

/// Adds checks before every access of `kernel`, whose memory spaces are still
/// those of the GPU.
mlir::LogicalResult instrumentAccesses(mlir::gpu::GPUFuncOp kernel,
                                       const LoweringOptions &options,
                                       std::vector<Site> &sites);

/// Replaces a reduction over the block. `scratch` has an element per thread and
/// belongs to the block, but to no memory that is watched.
mlir::LogicalResult lowerAllReduce(mlir::gpu::AllReduceOp op,
                                   mlir::Value scratch);

enum class MemorySpace { Global, Workgroup, Private };

/// The space of a memref: of the allocation that it is a view of, where that
/// is in sight, else what its type says.
MemorySpace memorySpaceOf(mlir::Value memref);

/// Bytes of an element in memory.
uint64_t elementBytesOf(mlir::MemRefType type);

/// Adds `op` to the sites and returns its number.
unsigned addSite(std::vector<Site> &sites, mlir::Operation *op,
                 Site facts = Site());

/// Builds instrumentation at the location of one op.
class HostBuilder : public mlir::ImplicitLocOpBuilder {
public:
  explicit HostBuilder(mlir::Operation *before)
      : ImplicitLocOpBuilder(before->getLoc(), before) {}

  mlir::Value index(int64_t value);
  mlir::Value integer(int64_t value, unsigned width);
  /// The address of `memref[indices]`, as an index.
  mlir::Value address(mlir::Value memref, mlir::ValueRange indices);
  /// Calls a function of the runtime.
  mlir::Value call(llvm::StringRef function, mlir::ValueRange operands,
                   mlir::Type result = nullptr);
};

/// Adds a check that `[indices..., last + first, last + end)` lies inside
/// `memref`, where `last` is the last index; `counts` is how many elements the
/// access takes along each dimension. Where `first` and `end` are given they
/// replace the last count, and an empty range passes.
void checkBounds(HostBuilder &builder, unsigned site, mlir::Value memref,
                 mlir::ValueRange indices, llvm::ArrayRef<int64_t> counts,
                 mlir::Value first = nullptr, mlir::Value end = nullptr);

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_LOWERING_H
