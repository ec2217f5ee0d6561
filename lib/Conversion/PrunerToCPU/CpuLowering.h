//===- CpuLowering.h - lowering one kernel for CPUs -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOCPU_CPULOWERING_H
#define PRUNER_LIB_CONVERSION_PRUNERTOCPU_CPULOWERING_H

#include "MaskedColumns.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Utils/BufferAccess.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace pruner {

/// The end of the terms that matrix instructions add up along coordinate
/// `coord` of a buffer.
struct SumEnd {
  unsigned coord;
  int64_t end;
};

/// Where the sums of statements that read `buffer` end, if they extend beyond
/// the tensor along a coordinate of their own. What fills the buffer writes
/// zeros there.
std::optional<SumEnd> sumEnd(mlir::Value buffer, KernelOp kernel);

/// Walks one kernel and emits its code before it.
class CpuLowering {
public:
  CpuLowering(KernelOp kernel, unsigned threads);

  /// Lowers the body; the caller erases the kernel.
  void run();

  /// Statements with a second version for cut tiles.
  unsigned numGuarded = 0;
  /// Blocks of rows that end after the columns that they need.
  unsigned numLimited() const { return maskedColumns.size(); }

private:
  // PrunerToCPU.cpp: structure.
  void lowerBlock(mlir::Block &block);
  void lowerBand(BandOp band);
  void lowerLoops(BandOp band, unsigned loop);
  void lowerCores(BandOp band);
  mlir::Value loopBound(BandOp band, unsigned loop);
  /// The end of the loops along `dim`: that of the domain, or of the columns
  /// that the rows of the current block need.
  mlir::Value endOf(unsigned dim);
  /// Whether `trips` iterations of `step` from `begin` on, or fewer because of
  /// the end of a block's columns, are always a multiple of `copies`.
  bool endsAfterCopies(unsigned dim, int64_t trips, int64_t step,
                       int64_t copies, const IndexForm &begin);
  /// The number of iterations, out of `trips` from `begin` on, that begin
  /// before the end.
  mlir::Value tripsInside(unsigned dim, int64_t trips, int64_t step,
                          const IndexForm &begin);
  /// Memory for the result of a `pruner.alloc` or `pruner.stage`.
  void allocate(mlir::Value buffer, bool heap);
  void freeAllocations();
  void completeStores();

  // LowerLimits.cpp
  llvm::SmallVector<IndexForm> currentPosition();
  void lowerChecks(mlir::Block &block);
  void lowerLimit(mlir::Block &block);
  mlir::Value extendedToF32(mlir::Value value);
  mlir::Value constantFloat(mlir::Type type, double value);

  // LowerStage.cpp and LowerCompute.cpp.
  void lowerStage(StageOp stage);
  void lowerCompute(ComputeOp compute);

  /// Position per dimension of the domain: the sum of the offsets in `at`.
  llvm::SmallVector<IndexForm> position(mlir::OperandRange at);
  const FlatBuffer &flat(mlir::Value buffer);

  friend class ComputeLowering;
  friend class StageLowering;

  KernelOp kernel;
  unsigned threads;
  mlir::OpBuilder builder;
  mlir::Location loc;
  IndexBuilder indices;
  /// The lowered term of each induction variable of the dialect. In the order
  /// of nesting, so that the generated code does not depend on addresses.
  llvm::MapVector<mlir::Value, IndexTerm> ivs;
  llvm::DenseMap<mlir::Value, FlatBuffer> buffers;
  /// Buffers are allocated before this op, outside of all loops of one thread,
  /// and freed after the loops.
  mlir::Operation *allocationPoint = nullptr;
  llvm::SmallVector<mlir::Value> heapBuffers;
  llvm::SmallVector<MaskedColumns> maskedColumns;
  /// For blocks with masked columns, whether the checks have passed.
  llvm::DenseMap<mlir::Block *, mlir::Value> checksPassed;
  /// For each dimension the end of its loops; null for that of the domain. It
  /// is the end of the domain or a multiple of a number.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> ends;
  /// Statements that are lowered together with another one.
  llvm::DenseSet<mlir::Operation *> done;
  /// Products of bf16 by instructions take subnormal numbers as zero, so the
  /// results may be rounded to bf16 by one that does so, too.
  bool flushesSubnormals = false;
  /// Non-temporal stores were emitted since the last fence.
  bool storesAroundCaches = false;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOCPU_CPULOWERING_H
