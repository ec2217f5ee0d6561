//===- StageCopy.h - cooperative copies to shared memory ------ -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOGPU_STAGECOPY_H
#define PRUNER_LIB_CONVERSION_PRUNERTOGPU_STAGECOPY_H

#include "GpuLowering.h"

namespace pruner {

/// Elements that a thread may hold between loading and storing them.
constexpr int64_t kMaxHeldElements = 32;

/// Lowers one `pruner.stage`. The box is divided into chunks of `width`
/// elements along one coordinate. Thread t copies chunk n * threads + t in its
/// n-th iteration, so neighbors access adjacent addresses.
class StageCopy {
public:
  StageCopy(GpuLowering &parent, StageOp stage);

  /// The largest number of chunks that a thread copies.
  int64_t iterations() const;
  int64_t elementsPerThread() const { return iterations() * width; }
  int64_t getWidth() const { return width; }
  /// The type of the value of a chunk.
  mlir::Type valueType() const;

  /// A chunk between load and store.
  struct Chunk {
    /// Its number, of `chunks`, in the order of the tensor.
    IndexForm number;
    /// Position of the first element in the box, per tensor coordinate.
    llvm::SmallVector<IndexForm> place;
    /// True if the thread has a chunk in this iteration; null if always.
    mlir::Value exists;
    /// One element, or a vector of `width`.
    mlir::Value value;
  };
  /// A chunk without its value. It depends only on the thread.
  Chunk locate(const IndexForm &iteration);
  /// Loads the value of a chunk.
  void load(Chunk &chunk);
  void store(const Chunk &chunk);

  /// Copies in several batches, if one thread has too many elements to hold.
  mlir::LogicalResult copyInBatches();

  /// For asynchronous copies: fails if the device cannot move the chunks.
  mlir::LogicalResult checkAsync();
  /// Whether chunks outside of the tensor are zeros, which an asynchronous copy
  /// of no elements writes.
  bool fillsWithZeros();
  /// The chunks of a thread, in the order of its iterations.
  std::vector<Chunk> locateAsync();
  /// Starts the asynchronous copies of `chunks`. If `condition` is not null and
  /// false, they write zeros and read nothing; it requires `fillsWithZeros`.
  void copyAsync(llvm::ArrayRef<Chunk> chunks, mlir::Value condition = {});

private:
  void chooseOrder();
  void chooseWidth();
  bool canMove(int64_t elements);
  bool isContiguousInBuffer(int64_t elements);
  /// The strides of input `n` along each `coord`, and the constant part.
  std::pair<llvm::SmallVector<int64_t>, int64_t> strides(unsigned n);
  mlir::Value insideTensor(llvm::ArrayRef<IndexForm> coords);
  llvm::SmallVector<IndexForm> coordsOf(const Chunk &chunk);
  /// The addresses in input `n` and in the buffer.
  IndexForm sourceForm(unsigned n, llvm::ArrayRef<IndexForm> coords);
  IndexForm bufferForm(const Chunk &chunk);
  std::pair<IndexForm, IndexForm> splitBySteps(const IndexForm &form);
  mlir::Value stepAddress(const IndexForm &form);
  mlir::Value loadInput(unsigned n, llvm::ArrayRef<IndexForm> coords,
                        mlir::Value valid);
  mlir::Value outsideValue(mlir::Type type);
  void storeInBuffer(const Chunk &chunk);
  void copyAsync(const Chunk &chunk, mlir::Value condition);
  mlir::Value both(mlir::Value lhs, mlir::Value rhs);

  GpuLowering &parent;
  mlir::OpBuilder &builder;
  MemoryEmitter &memory;
  StageOp stage;
  mlir::Location loc;
  /// The start of the box, per tensor coordinate.
  llvm::SmallVector<IndexForm> start;
  /// Tensor coordinates, slowest first. Chunks lie along the last one with more
  /// than one element.
  llvm::SmallVector<unsigned> order;
  unsigned along = 0;
  int64_t width = 1;
  /// Chunks along each coordinate of `order`, and their total.
  llvm::SmallVector<int64_t> extents;
  int64_t chunks = 1;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOGPU_STAGECOPY_H
