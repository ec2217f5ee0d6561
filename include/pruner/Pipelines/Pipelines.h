//===- Pipelines.h - the named pipelines ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_PIPELINES_PIPELINES_H
#define PRUNER_PIPELINES_PIPELINES_H

#include "pruner/Machine/CodeTarget.h"

#include "mlir/Pass/PassOptions.h"

namespace mlir {
class DialectRegistry;
class OpPassManager;
} // namespace mlir

namespace pruner {

/// Options of `pruner-to-llvm`.
struct ToLLVMOptions : public mlir::PassPipelineOptions<ToLLVMOptions> {
  Option<bool> parallel{
      *this, "parallel",
      llvm::cl::desc("Run scf.parallel on OpenMP threads; otherwise it becomes "
                     "sequential loops"),
      llvm::cl::init(false)};
  Option<bool> noalias{
      *this, "noalias",
      llvm::cl::desc("Kernel arguments point to distinct buffers"),
      llvm::cl::init(true)};
  Option<unsigned> alignment{
      *this, "alignment",
      llvm::cl::desc("Alignment of kernel arguments in bytes, 0 for none"),
      llvm::cl::init(64)};
  Option<bool> reassociate{
      *this, "reassociate",
      llvm::cl::desc("Let LLVM add the lanes of a vector in a tree"),
      llvm::cl::init(true)};
  Option<bool> noSignedZeros{
      *this, "no-signed-zeros",
      llvm::cl::desc("Allow either sign for a maximum or minimum of +0 and -0"),
      llvm::cl::init(true)};
};

/// Options of `pruner-to-nvvm`.
struct ToNVVMOptions : public mlir::PassPipelineOptions<ToNVVMOptions> {
  Option<bool> noalias{
      *this, "noalias",
      llvm::cl::desc("Kernel arguments point to distinct buffers"),
      llvm::cl::init(true)};
  Option<unsigned> alignment{
      *this, "alignment",
      llvm::cl::desc("Alignment of kernel arguments in bytes, 0 for none; "
                     "cudaMalloc gives 256"),
      llvm::cl::init(16)};
  Option<unsigned> indexBitwidth{
      *this, "index-bitwidth",
      llvm::cl::desc("Width of indices, 32 or 64; 0 lets the attributes of the "
                     "kernels decide"),
      llvm::cl::init(0)};
  Option<unsigned> minBlocksPerSM{
      *this, "min-blocks-per-sm",
      llvm::cl::desc("Blocks that must fit on a multiprocessor, 0 for any"),
      llvm::cl::init(0)};
};

/// Options of `pruner-network-to-llvm`.
struct NetworkToLLVMOptions
    : public mlir::PassPipelineOptions<NetworkToLLVMOptions> {
  Option<std::string> entry{
      *this, "entry",
      llvm::cl::desc("The network's function; empty: the only public one"),
      llvm::cl::init("")};
  Option<bool> parallel{
      *this, "parallel",
      llvm::cl::desc("Run scf.parallel on OpenMP threads; otherwise it becomes "
                     "sequential loops"),
      llvm::cl::init(true)};
};

/// Options of `pruner-network-to-device`.
struct NetworkToDeviceOptions
    : public mlir::PassPipelineOptions<NetworkToDeviceOptions> {
  Option<std::string> entry{
      *this, "entry",
      llvm::cl::desc("The network's function; empty: the only public one"),
      llvm::cl::init("")};
};

/// Lowers phase-4 CPU code (func, scf, memref, vector, arith, math,
/// affine.apply) to the LLVM dialect. A function on memrefs becomes a C
/// function of pointers.
void buildToLLVMPipeline(mlir::OpPassManager &pm, const ToLLVMOptions &options);

/// Lowers the `gpu.module`s of a module (gpu, scf, memref, vector, arith, math,
/// nvgpu, nvvm) to the NVVM and LLVM dialects. An op that would need a call of
/// a device library is an error.
void buildToNVVMPipeline(mlir::OpPassManager &pm, const ToNVVMOptions &options);

/// Options for lowering kernels that are not part of their schedules.
struct KernelOptions {
  unsigned threads = 1; ///< Threads of a kernel for a CPU.
  /// Alignment of the arguments of a kernel for a CPU, in bytes.
  unsigned alignment = 64;
};

/// Lowers tiled kernels (phase 3) to upstream dialects (phase 4), depending on
/// the sketch of each.
void buildMappingPipeline(mlir::OpPassManager &pm,
                          const KernelOptions &options = {});

/// Lowers phase 4 to the LLVM or NVVM dialect of `target` (phase 5). Together
/// with `buildMappingPipeline` it is the whole path from a tiled kernel to
/// code; the tuner, its workers and the fuzzers use both.
void buildCodePipeline(mlir::OpPassManager &pm, const CodeTarget &target,
                       const KernelOptions &options = {});

/// Rounds each operation on bf16, and operations that LLVM would round twice,
/// to its type. All code for CPUs uses this, including the reference.
void addCpuArithmetic(mlir::OpPassManager &pm);

/// Lowers functions of linalg on tensors of static shape to the LLVM dialect by
/// upstream passes and plain loops. This path is the correctness reference. It
/// has no tiling and no vectors, orders loops for contiguous accesses, and uses
/// the mathematical functions of the C library. It shares only
/// `addCpuArithmetic` with the tuned path. The C signature follows the same
/// rule: a pointer for every tensor argument, which is only read, followed by a
/// pointer for every result.
void buildLinalgToLoopsPipeline(mlir::OpPassManager &pm);

/// Lowers operations without a schedule as the library of a network does. The
/// result is the untuned default with which tuning is compared. It is the
/// pipeline of networks without the parts for callers. The only public function
/// takes a pointer for every input, then for every result, then the workspace.
/// The attribute `pruner.workspace` of that argument is its size in bytes.
void buildUntunedPipeline(mlir::OpPassManager &pm);

/// Lowers a network to the LLVM dialect: functions on tensors, with tuned
/// kernels as functions on memrefs, or with linalg only. Buffers are in one
/// workspace. Remaining linalg operations become plain loops, one function for
/// each distinct operation. `pruner_network_entry` calls the network (see
/// `pruner-add-entry-point`). The network's function takes a pointer for every
/// input, then for every result, then the workspace, each aligned to 64 bytes.
void buildNetworkToLLVMPipeline(mlir::OpPassManager &pm,
                                const NetworkToLLVMOptions &options);

/// Lowers a network for a GPU: functions on tensors, with tuned kernels in
/// `gpu.binary` or `gpu.module` ops, or with linalg only. Buffers are in one
/// workspace of device memory. Remaining linalg operations become kernels
/// (`pruner-offload-operations`). All `gpu.module`s are lowered to the NVVM
/// dialect; functions of the host call the run-time library to launch kernels
/// (`pruner-launch-kernels`).
void buildNetworkToDevicePipeline(mlir::OpPassManager &pm,
                                  const NetworkToDeviceOptions &options);

/// Lowers the functions that `buildNetworkToDevicePipeline` leaves to the LLVM
/// dialect, after the `gpu.module`s and `gpu.binary`s were removed. The
/// network's function is the same as that of `buildNetworkToLLVMPipeline`, with
/// addresses of device memory.
void buildDeviceHostPipeline(mlir::OpPassManager &pm);

/// Lowers the function `entry` of dynamic shape to the LLVM dialect, as plain
/// loops with buffers from the C library. `pruner_network_entry` is the same as
/// for a network of static shape, with the size of the call, an i64, as its
/// last input (`pruner-prepare-dynamic`). If a check fails, its buffers are not
/// freed.
void buildDynamicNetworkToLLVMPipeline(mlir::OpPassManager &pm,
                                       llvm::StringRef entry);

/// Registers the named pipelines.
void registerPipelines();

/// Registers exactly the dialects and interfaces that the pipelines need.
void registerPipelineDialects(mlir::DialectRegistry &registry);

/// Creates a context without threads that parses tasks and schedules.
std::unique_ptr<mlir::MLIRContext> createTaskContext();

} // namespace pruner

#endif // PRUNER_PIPELINES_PIPELINES_H
