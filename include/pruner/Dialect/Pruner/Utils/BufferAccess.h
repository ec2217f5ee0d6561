//===- BufferAccess.h - addresses in buffers and tensors --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_BUFFERACCESS_H
#define PRUNER_DIALECT_PRUNER_UTILS_BUFFERACCESS_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Utils/IndexBuilder.h"

namespace pruner {

/// The memory of a buffer, or of an argument of the function, during lowering.
/// It is flat, so that every address is one linear form.
struct FlatBuffer {
  /// One-dimensional memref.
  mlir::Value memref;
  /// Shape of the memory before flattening, row-major.
  llvm::SmallVector<int64_t> shape;
  /// Maps coordinates of the tensor to coordinates of the memory.
  mlir::AffineMap layout;
  /// Induction variables of the dialect whose offsets are the origin.
  llvm::SmallVector<mlir::Value> origin;
  /// Address of its first element, if it is one of several in the memref.
  IndexForm start;

  /// The type of its elements.
  mlir::Type element() const {
    return mlir::cast<mlir::MemRefType>(memref.getType()).getElementType();
  }

  /// Flattens the memory of `buffer`, which is an argument or the result of
  /// `pruner.alloc`, `pruner.stage` or `pruner.packed`. `memref` has the
  /// buffer's shape.
  static FlatBuffer create(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value buffer, mlir::Value memref);
};

/// The addresses of the lanes of a vector access.
struct LaneAddress {
  /// Element address of lane zero.
  IndexForm address;
  /// Elements from lane to lane; none if the lanes are irregular.
  std::optional<int64_t> laneStride;
};

/// Address of the absolute tensor coordinates `coords`; the terms of the
/// buffer's origin are subtracted here. `steps[r]` is the change of coordinate
/// r from lane to lane.
LaneAddress getAddress(IndexBuilder &indices, const FlatBuffer &buffer,
                       llvm::ArrayRef<IndexForm> coords,
                       llvm::ArrayRef<int64_t> steps, int64_t lanes);

/// Applies `map` (linear, see toAccessMap) to forms.
llvm::SmallVector<IndexForm> applyMap(mlir::AffineMap map,
                                      llvm::ArrayRef<IndexForm> inputs);

/// The change of each result of `map` for the changes `moves` of its inputs.
llvm::SmallVector<int64_t> applyMoves(mlir::AffineMap map,
                                      llvm::ArrayRef<int64_t> moves);

/// True if `dim` occurs in `map`.
bool usesDim(mlir::AffineMap map, unsigned dim);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_BUFFERACCESS_H
