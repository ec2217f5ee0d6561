//===- StageCopy.h - cooperative copies to shared memory ------ -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOGPU_STAGECOPY_H
#define PRUNER_LIB_CONVERSION_PRUNERTOGPU_STAGECOPY_H

#include "GpuLowering.h"

namespace pruner {

/// Lowers one `pruner.stage`. The box is cut into chunks of `width` elements
/// along one coordinate; chunk number n * threads + t is moved by thread t in
/// its n-th iteration, so that neighbours read neighbouring addresses.
class StageCopy {
public:
  StageCopy(GpuLowering &parent, StageOp stage);

  /// Chunks that the busiest thread moves.
  int64_t iterations() const;
  int64_t elementsPerThread() const { return iterations() * width; }
  int64_t getWidth() const { return width; }

  /// A chunk on its way.
  struct Chunk {
    /// One element, or a vector of `width`.
    mlir::Value value;
    /// Position of the first element in the box, per tensor coordinate.
    llvm::SmallVector<IndexForm> place;
    /// Whether the thread has a chunk in this iteration; null: always.
    mlir::Value exists;
  };
  Chunk load(const IndexForm &iteration);
  void store(const Chunk &chunk);

  /// All iterations, where one thread has too many elements to hold.
  mlir::LogicalResult copyInBatches();

private:
  void chooseOrder();
  void chooseWidth();
  bool canMove(int64_t elements);
  /// Elements that a step along `coord` moves in input `n`, and constant part.
  std::pair<llvm::SmallVector<int64_t>, int64_t> strides(unsigned n);
  mlir::Value insideTensor(llvm::ArrayRef<IndexForm> coords);
  mlir::Value loadInput(unsigned n, llvm::ArrayRef<IndexForm> coords,
                        mlir::Value valid);
  mlir::Value both(mlir::Value lhs, mlir::Value rhs);

  GpuLowering &parent;
  mlir::OpBuilder &builder;
  MemoryEmitter &memory;
  StageOp stage;
  mlir::Location loc;
  /// Where the box begins, per tensor coordinate.
  llvm::SmallVector<IndexForm> start;
  /// Tensor coordinates, slowest first; the last one of more than one element
  /// is the one that chunks lie along.
  llvm::SmallVector<unsigned> order;
  unsigned along = 0;
  int64_t width = 1;
  /// Chunks along each coordinate of `order`, and all of them.
  llvm::SmallVector<int64_t> extents;
  int64_t chunks = 1;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOGPU_STAGECOPY_H
