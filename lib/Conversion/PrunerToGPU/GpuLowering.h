//===- GpuLowering.h - lowering one kernel for GPUs ----------- -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPULOWERING_H
#define PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPULOWERING_H

#include "CheckKernel.h"
#include "MemoryEmitter.h"

#include "pruner/Dialect/Pruner/Utils/BufferAccess.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace pruner {

/// Walks a kernel that `checkKernel` accepts and writes its code into an empty
/// `gpu.func` whose arguments are the memrefs of the kernel's function.
class GpuLowering {
public:
  GpuLowering(KernelOp kernel, mlir::gpu::GPUFuncOp target, LaunchShape shape);

  mlir::LogicalResult run();

  unsigned numBarriers = 0;
  unsigned getNumVectorCopies() const { return vectorCopies.size(); }
  /// Bytes of workgroup memory.
  int64_t sharedBytes = 0;

private:
  using LoopBody = llvm::function_ref<mlir::LogicalResult(mlir::Value)>;

  void mapArguments();
  void cloneConstants();
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lowerBand(BandOp band);
  mlir::LogicalResult lowerCopies(BandOp band, unsigned loop);
  mlir::LogicalResult lowerSerial(BandOp band, unsigned loop);
  void spread(BandOp band, mlir::Value linearIndex);
  void allocate(mlir::Value buffer);
  const FlatBuffer &sharedBuffer(StageOp stage);

  // CombineThreads.cpp.
  mlir::Value threadDigit(int64_t stride, int64_t trips);
  mlir::Value exchangeBuffer(mlir::Type type, int64_t elements, bool repeated);

  // LowerStage.cpp and LowerCompute.cpp.
  mlir::LogicalResult lowerStages(llvm::ArrayRef<StageOp> stages);
  mlir::LogicalResult lowerCompute(ComputeOp compute,
                                   llvm::ArrayRef<BandOp> joined);

  /// A loop of `trips` steps around `body`; the elements of the local buffers
  /// `carried` are passed from step to step.
  mlir::LogicalResult
  emitLoop(int64_t trips, llvm::ArrayRef<mlir::Value> carried, LoopBody body);

  void barrier();
  /// Barriers that reading or overwriting these shared buffers needs.
  void beforeRead(mlir::ValueRange buffers);
  void beforeOverwrite(llvm::ArrayRef<StageOp> stages);

  /// Position per dimension of the domain: the sum of the offsets in `at`
  /// without those in `excluded`.
  llvm::SmallVector<IndexForm> position(mlir::OperandRange at,
                                        mlir::ValueRange excluded);
  mlir::Value index(int64_t value) { return memory.index(loc, value); }

  friend class GpuComputeLowering;
  friend class StageCopy;

  KernelOp kernel;
  mlir::gpu::GPUFuncOp target;
  LaunchShape shape;
  mlir::OpBuilder builder;
  mlir::Location loc;
  MemoryEmitter memory;
  mlir::Value blockIndex, threadIndex;
  /// What stands for each induction variable of the dialect.
  llvm::DenseMap<mlir::Value, IndexForm> ivs;
  /// Arguments, staged buffers, and (without memory) local buffers.
  llvm::DenseMap<mlir::Value, FlatBuffer> buffers;
  /// The present elements of local buffers, in row-major order. Null or
  /// `unwritten`: nothing wrote the element, and nothing may read it. The
  /// latter pass through a loop, where a step may write them.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> locals;
  llvm::SmallPtrSet<mlir::Value, 4> unwritten;
  bool isWritten(mlir::Value element) const {
    return element && !unwritten.contains(element);
  }
  /// Shared memory by which threads combine what they reduced.
  llvm::SmallVector<mlir::Value, 2> exchanges;
  /// Shared buffers read and written since the last barrier.
  llvm::SmallPtrSet<mlir::Value, 4> readShared, writtenShared;
  /// Stages that load vectors.
  llvm::SmallPtrSet<mlir::Operation *, 4> vectorCopies;
};

/// Trips of the serial loops nested in `block`, statements' included: the
/// largest product along any path.
int64_t nestedSerialTrips(mlir::Block &block);

/// Executions of statement bodies that writing `block` out once gives, and
/// copies of vectors by each thread.
int64_t nestedInstances(mlir::Block &block);

/// No more than this many executions are written out, whatever `unroll_max`
/// says: compile time grows faster than linearly with it, and at 16 bytes each
/// these fill half of an instruction cache.
constexpr int64_t kMaxInstances = 4096;

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPULOWERING_H
