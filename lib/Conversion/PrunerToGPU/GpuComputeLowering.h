//===- GpuComputeLowering.h - statements on register tiles - -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPUCOMPUTELOWERING_H
#define PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPUCOMPUTELOWERING_H

#include "GpuLowering.h"

namespace pruner {

/// Lowers one `pruner.compute`, written out place by place. A place is one
/// combination of the unrolled loops of the statement and of the bands `joined`
/// around it: an offset per dimension of the domain.
class GpuComputeLowering {
public:
  GpuComputeLowering(GpuLowering &parent, ComputeOp op,
                     llvm::ArrayRef<BandOp> joined);
  mlir::LogicalResult lower();

private:
  using Forms = llvm::SmallVector<IndexForm>;
  using Values = llvm::SmallVector<mlir::Value>;

  void addPlaces(unsigned dim, int64_t extent, int64_t step);
  mlir::Value operand(unsigned n);

  // Reductions.
  mlir::LogicalResult reduce(unsigned loop, const Forms &offset);
  mlir::LogicalResult reduceStep(const Forms &offset);
  bool zerosAddNothing(unsigned dim);
  void loadAhead(unsigned loop, const Forms &offset);

  // CombineThreads.cpp: threads that share a reduction.
  void findRowThreads();
  mlir::LogicalResult reduceAcrossThreads();
  mlir::Value neutral();
  mlir::Value combine(mlir::Value a, mlir::Value b);
  void shuffleParts(Values &parts);
  void exchangeParts(Values &parts);
  mlir::Value firstOfRow();

  // All other statements.
  void findCutDims();
  mlir::LogicalResult assign();
  mlir::LogicalResult assignPlaces(llvm::ArrayRef<unsigned> which);
  mlir::Value insideDomain(llvm::ArrayRef<int64_t> place);

  /// The elements of operand `n` at the places numbered `which`, moved by
  /// `offset`.
  mlir::FailureOr<Values> load(unsigned n, llvm::ArrayRef<unsigned> which,
                               const Forms &offset);
  mlir::LogicalResult store(llvm::ArrayRef<unsigned> which,
                            llvm::ArrayRef<mlir::Value> values);
  IndexForm address(unsigned n, llvm::ArrayRef<int64_t> place,
                    const Forms &offset, bool clamp);
  IndexForm clampTo(const IndexForm &form, int64_t extent);
  mlir::FailureOr<mlir::Value *> localElement(mlir::Value buffer,
                                              const IndexForm &address);
  /// The elements of the output, a local buffer. An error unless all of them
  /// are written.
  mlir::FailureOr<Values> accumulators();

  GpuLowering &parent;
  mlir::OpBuilder &builder;
  MemoryEmitter &memory;
  ComputeOp op;
  KernelOp kernel;
  mlir::Location loc;
  /// Position of the tile per dimension of the domain, and for each operand
  /// relative to the origin of its buffer.
  Forms base;
  llvm::SmallVector<Forms> operandBase;
  /// A loop of the `thread` band around the statement: neighbours along it are
  /// `stride` threads apart.
  struct ThreadLoop {
    int64_t trips, stride;
  };
  /// Those over reduction dimensions: of an update's own offsets, and of none
  /// of the statement's offsets.
  llvm::SmallVector<ThreadLoop, 2> rowThreads, idleThreads;
  bool loadedAhead = false;
  /// Loops that are reduced over, outermost first (their numbers).
  llvm::SmallVector<unsigned> reductions;
  llvm::SmallVector<llvm::SmallVector<int64_t>> places;
  /// Dimensions along which places may lie outside of the domain.
  llvm::SmallVector<unsigned> cutDims;
  /// The code being written is only executed inside of the domain.
  bool knownInside = false;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPUCOMPUTELOWERING_H
