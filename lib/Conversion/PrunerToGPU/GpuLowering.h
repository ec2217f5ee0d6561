//===- GpuLowering.h - lowering one kernel for GPUs ----------- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPULOWERING_H
#define PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPULOWERING_H

#include "CheckKernel.h"
#include "MemoryEmitter.h"

#include "pruner/Dialect/Pruner/Utils/BufferAccess.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <functional>

namespace pruner {

/// Walks a kernel that `checkKernel` accepts and emits its code into an empty
/// `gpu.func`, whose arguments are the memrefs of the kernel's function.
class GpuLowering {
public:
  GpuLowering(KernelOp kernel, mlir::gpu::GPUFuncOp target, LaunchShape shape);

  mlir::LogicalResult run();

  unsigned numBarriers = 0;
  unsigned getNumVectorCopies() const { return vectorCopies.size(); }
  /// Bytes of workgroup memory, and of these the bytes of dynamic shared
  /// memory. A block has no more than kStaticSharedBytes of static memory, so
  /// buffers that take more are all dynamic.
  int64_t sharedBytes = 0, dynamicSharedBytes = 0;

private:
  using LoopBody = llvm::function_ref<mlir::LogicalResult(mlir::Value)>;

  void mapArguments();
  void cloneConstants();
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lowerBand(BandOp band);
  mlir::LogicalResult lowerCopies(BandOp band, unsigned loop);
  mlir::LogicalResult lowerSerial(BandOp band, unsigned loop);
  bool isExpanded(BandOp band, unsigned loop);
  llvm::SmallVector<mlir::Value> enterLoop(BandOp band);
  void spread(BandOp band, mlir::Value linearIndex);
  void allocate(mlir::Value buffer);
  void allocateDynamically();
  mlir::Value sharedMemory(StageOp stage, int64_t bytes);
  const FlatBuffer &sharedBuffer(StageOp stage);

  // CombineThreads.cpp.
  mlir::Value threadDigit(int64_t stride, int64_t trips);
  mlir::Value exchangeBuffer(mlir::Type type, int64_t elements, bool repeated);

  // LowerStage.cpp and LowerCompute.cpp.
  mlir::LogicalResult lowerStages(llvm::ArrayRef<StageOp> stages);
  // LowerPipeline.cpp.
  mlir::LogicalResult lowerPipeline(BandOp band,
                                    llvm::ArrayRef<StageOp> stages);
  mlir::LogicalResult lowerCompute(ComputeOp compute,
                                   llvm::ArrayRef<BandOp> joined);

  /// Emits a loop of `trips` steps around `body`. The elements of the local
  /// buffers `carried` are values of the loop, and so are `values`, which
  /// `body` replaces by those of the next step.
  mlir::LogicalResult emitLoop(int64_t trips,
                               llvm::ArrayRef<mlir::Value> carried,
                               LoopBody body,
                               llvm::MutableArrayRef<mlir::Value> values = {});

  /// Starts the copies of later steps that are due before sum number `part` of
  /// the `parts` sums of a statement, which are not in a loop.
  void startCopies(int64_t part, int64_t parts) {
    if (copiesAhead)
      copiesAhead(part, parts);
  }
  /// The same before other code: all of them.
  void startCopies() { startCopies(0, 1); }

  void barrier();
  /// Emits the barriers required before reading or overwriting these shared
  /// buffers.
  void beforeRead(mlir::ValueRange buffers);
  void beforeOverwrite(llvm::ArrayRef<StageOp> stages);

  /// Position per dimension of the domain: the sum of the offsets in `at`
  /// without those in `excluded`.
  llvm::SmallVector<IndexForm> position(mlir::OperandRange at,
                                        mlir::ValueRange excluded);
  mlir::Value index(int64_t value) { return memory.index(loc, value); }

  friend class GpuComputeLowering;
  friend class MatrixProducts;
  friend class Pipeline;
  friend class StageCopy;

  KernelOp kernel;
  mlir::gpu::GPUFuncOp target;
  LaunchShape shape;
  mlir::OpBuilder builder;
  mlir::Location loc;
  MemoryEmitter memory;
  mlir::Value blockIndex, threadIndex;
  /// Dynamic shared memory; null if the kernel uses none.
  mlir::Value dynamicShared;
  /// The lowered form of each induction variable of the dialect.
  llvm::DenseMap<mlir::Value, IndexForm> ivs;
  /// Arguments, staged buffers, and (without memory) local buffers.
  llvm::DenseMap<mlir::Value, FlatBuffer> buffers;
  /// The current elements of local buffers, in row-major order. An element that
  /// was never written is null or `unwritten`, and must not be read.
  /// `unwritten` elements are passed through a loop, where a step may write
  /// them.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> locals;
  llvm::SmallPtrSet<mlir::Value, 4> unwritten;
  bool isWritten(mlir::Value element) const {
    return element && !unwritten.contains(element);
  }
  /// Shared memory by which threads combine their partial results.
  llvm::SmallVector<mlir::Value, 2> exchanges;
  /// Shared buffers read and written since the last barrier.
  llvm::SmallPtrSet<mlir::Value, 4> readShared, writtenShared;
  /// Stages that use vector loads.
  llvm::SmallPtrSet<mlir::Operation *, 4> vectorCopies;
  /// In a step of a pipeline: `startCopies`.
  std::function<void(int64_t part, int64_t parts)> copiesAhead;
};

/// Static shared memory that a block can have on every device.
constexpr int64_t kStaticSharedBytes = 48 << 10;

/// The largest product of the trip counts of serial loops nested in `block`,
/// including those of statements, along any path.
int64_t nestedSerialTrips(mlir::Block &block);

/// The number of executions of statement bodies, and of vector copies per
/// thread, in one expansion of `block`.
int64_t nestedInstances(mlir::Block &block);

/// Largest number of executions that are expanded, whatever `unroll_max` is.
/// Compile time grows faster than linearly with it, and at 16 bytes each these
/// fill half of an instruction cache.
constexpr int64_t kMaxInstances = 4096;

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPULOWERING_H
