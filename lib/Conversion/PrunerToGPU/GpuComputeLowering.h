//===- GpuComputeLowering.h - statements on register tiles - -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPUCOMPUTELOWERING_H
#define PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPUCOMPUTELOWERING_H

#include "GpuLowering.h"

namespace pruner {

/// Lowers one `pruner.compute`, expanded place by place. A place is one
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
  bool writesOut(unsigned loop);
  mlir::LogicalResult reduce(unsigned loop, const Forms &offset);
  mlir::LogicalResult reduceStep(const Forms &offset);
  bool zerosAddNothing(unsigned dim);
  void loadAhead(unsigned loop, const Forms &offset);

  // MatrixProducts.cpp.
  mlir::LogicalResult multiply(const Forms &offset);

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

  /// The elements of operand `n` at the places with the numbers `which`, moved
  /// by `offset`.
  mlir::FailureOr<Values> load(unsigned n, llvm::ArrayRef<unsigned> which,
                               const Forms &offset);
  mlir::LogicalResult store(llvm::ArrayRef<unsigned> which,
                            llvm::ArrayRef<mlir::Value> values);
  IndexForm address(unsigned n, llvm::ArrayRef<int64_t> place,
                    const Forms &offset, bool clamp);
  IndexForm clampTo(const IndexForm &form, int64_t extent);
  mlir::FailureOr<mlir::Value *> localElement(mlir::Value buffer,
                                              const IndexForm &address);
  /// The elements of the output, a local buffer. Emits an error unless all of
  /// them have been written.
  mlir::FailureOr<Values> accumulators();

  friend class MatrixProducts;

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
  /// Offsets of joined bands, which are parts of the places.
  Values constantOffsets;
  /// A loop of the `thread` band around the statement. Neighbors along it are
  /// `stride` threads apart.
  struct ThreadLoop {
    int64_t trips, stride;
  };
  /// Thread loops over reduction dimensions: those in the `at` of an update,
  /// and those that are not in the statement's `at`.
  llvm::SmallVector<ThreadLoop, 2> rowThreads, idleThreads;
  bool loadedAhead = false;
  /// If copies of a pipeline start between the sums of an instruction: the
  /// number of sums, and of those already emitted.
  int64_t sums = 0, emittedSums = 0;
  /// The numbers of the loops over reduction dimensions, outermost first.
  llvm::SmallVector<unsigned> reductions;
  llvm::SmallVector<llvm::SmallVector<int64_t>> places;
  /// Dimensions along which places may be outside of the domain.
  llvm::SmallVector<unsigned> cutDims;
  /// The current code is only executed inside of the domain.
  bool knownInside = false;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOGPU_GPUCOMPUTELOWERING_H
