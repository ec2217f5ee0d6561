//===- Pipelines.h - the named pipelines ------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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
      llvm::cl::desc("Add up the lanes of a vector in a tree"),
      llvm::cl::init(true)};
  Option<bool> noSignedZeros{
      *this, "no-signed-zeros",
      llvm::cl::desc("Let a maximum or minimum of +0 and -0 be either of them"),
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
      llvm::cl::desc("Width of index arithmetic, 32 or 64"),
      llvm::cl::init(64)};
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
      llvm::cl::desc(
          "The network's function; not needed when only one is public"),
      llvm::cl::init("")};
  Option<bool> parallel{
      *this, "parallel",
      llvm::cl::desc("Run scf.parallel on OpenMP threads; otherwise it becomes "
                     "sequential loops"),
      llvm::cl::init(true)};
};

/// Phase-4 CPU code (func, scf, memref, vector, arith, math, affine.apply) to
/// the LLVM dialect. A function of memrefs becomes a C function of pointers.
void buildToLLVMPipeline(mlir::OpPassManager &pm, const ToLLVMOptions &options);

/// The `gpu.module`s of a module (gpu, scf, memref, vector, arith, math, nvgpu,
/// nvvm) to the NVVM and LLVM dialects. No call to a device library is left:
/// what would need one is an error.
void buildToNVVMPipeline(mlir::OpPassManager &pm, const ToNVVMOptions &options);

/// How kernels are lowered, beside what their schedules say.
struct KernelOptions {
  unsigned threads = 1; ///< Of a kernel for a CPU.
  /// Of the arguments of a kernel for a CPU, in bytes.
  unsigned alignment = 64;
};

/// Tiled kernels (phase 3) to upstream dialects (phase 4), each to those of its
/// own sketch.
void buildMappingPipeline(mlir::OpPassManager &pm,
                          const KernelOptions &options = {});

/// From there to the LLVM or NVVM dialect of `target` (phase 5). These two are
/// all that lies between a tiled kernel and code: the tuner, its workers and
/// the fuzzers lower by them.
void buildCodePipeline(mlir::OpPassManager &pm, const CodeTarget &target,
                       const KernelOptions &options = {});

/// Rounds each operation on bf16, and what LLVM would round twice, to its type:
/// what all code for CPUs shares, that of the oracle included.
void addCpuArithmetic(mlir::OpPassManager &pm);

/// Functions of linalg on tensors of static shape to the LLVM dialect by
/// upstream passes and plain loops. It is the correctness oracle: no tiling, no
/// vectors, loops in the order that walks memory best, mathematical functions
/// from the C library, and of the passes that the tuned path uses only those of
/// `addCpuArithmetic`. The C signature follows the same rule: a pointer for
/// every tensor argument, which is only read, then a pointer for every result.
void buildLinalgToLoopsPipeline(mlir::OpPassManager &pm);

/// What a network's library makes of operations that have no schedule, and so
/// the default that tuning is compared with: the pipeline of networks without
/// what their caller needs. The only public function takes a pointer for every
/// input, then for every result, then the workspace, whose bytes are the
/// attribute `pruner.workspace` of that argument.
void buildUntunedPipeline(mlir::OpPassManager &pm);

/// A network to the LLVM dialect: functions of tensors, with tuned kernels as
/// functions of memrefs or with linalg only. Buffers lie in one workspace, what
/// is still linalg becomes plain loops, one function for each distinct
/// operation, and `pruner_network_entry` calls it all (`pruner-add-entry-point`
/// describes it). The network's own function takes a pointer for every input,
/// then for every result, then the workspace, each aligned to 64 bytes.
void buildNetworkToLLVMPipeline(mlir::OpPassManager &pm,
                                const NetworkToLLVMOptions &options);

/// The function `entry` of dynamic shape to the LLVM dialect, as plain loops
/// with buffers from the C library. `pruner_network_entry` is as for a network
/// of static shape, with the size of the call, an i64, as its last input
/// (`pruner-prepare-dynamic`). A check that fails leaves its buffers behind.
void buildDynamicNetworkToLLVMPipeline(mlir::OpPassManager &pm,
                                       llvm::StringRef entry);

/// Registers the four by name.
void registerPipelines();

/// The dialects and interfaces that the pipelines need, and no others.
void registerPipelineDialects(mlir::DialectRegistry &registry);

/// A context that reads tasks and schedules, without threads.
std::unique_ptr<mlir::MLIRContext> createTaskContext();

} // namespace pruner

#endif // PRUNER_PIPELINES_PIPELINES_H
