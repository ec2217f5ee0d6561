//===- Lowering.h - GPU kernel to host function -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EMULATOR_LOWERING_H
#define PRUNER_LIB_EMULATOR_LOWERING_H

#include "KernelInfo.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"

namespace pruner::emulator {

/// Converts the accesses of kernels to the few forms that can be checked:
/// affine ops, vector transfers and gathers become loads and stores of at most
/// one dimension, warp reductions become shuffles. `runPasses` runs a pipeline
/// on `module`.
mlir::LogicalResult prepareKernels(
    mlir::ModuleOp module, const LoweringOptions &options,
    llvm::function_ref<mlir::LogicalResult(mlir::OpPassManager &)> runPasses);

/// Moves the body of a prepared kernel into a host function. Errors are
/// reported at the unsupported op.
mlir::FailureOr<LoweredKernel> lowerKernel(mlir::gpu::GPUFuncOp kernel,
                                           const LoweringOptions &options);

/// The upstream passes from `LoweredKernel::module` to the LLVM dialect.
void buildHostPipeline(mlir::OpPassManager &passes);

/// Adds checks before every access of `kernel`, which must still have the
/// memory spaces of the GPU.
mlir::LogicalResult instrumentAccesses(mlir::gpu::GPUFuncOp kernel,
                                       const LoweringOptions &options,
                                       std::vector<Site> &sites);

/// Replaces a reduction over the block. `scratch` has one element per thread
/// and belongs to the block, but not to checked memory.
mlir::LogicalResult lowerAllReduce(mlir::gpu::AllReduceOp op,
                                   mlir::Value scratch);

enum class MemorySpace { Global, Workgroup, Private };

/// The memory space of a memref: that of its allocation if it is visible, or
/// else that of its type.
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

/// Adds a check that `[indices..., last + first, last + end)` is inside
/// `memref`, where `last` is the last index. `counts` is the number of elements
/// of the access along each dimension. If `first` and `end` are given, they
/// replace the last count; an empty range passes.
void checkBounds(HostBuilder &builder, unsigned site, mlir::Value memref,
                 mlir::ValueRange indices, llvm::ArrayRef<int64_t> counts,
                 mlir::Value first = nullptr, mlir::Value end = nullptr);

} // namespace pruner::emulator

#endif // PRUNER_LIB_EMULATOR_LOWERING_H
