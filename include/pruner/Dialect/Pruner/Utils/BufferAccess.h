//===- BufferAccess.h - addresses in buffers and tensors --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_UTILS_BUFFERACCESS_H
#define PRUNER_DIALECT_PRUNER_UTILS_BUFFERACCESS_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Utils/IndexBuilder.h"

namespace pruner {

/// The memory that stands for a buffer of the dialect or an argument of its
/// function during lowering: flat, so that every address is one linear form.
struct FlatBuffer {
  /// One-dimensional memref.
  mlir::Value memref;
  /// Shape of the memory before flattening, row-major.
  llvm::SmallVector<int64_t> shape;
  /// Coordinates of the tensor to coordinates of the memory.
  mlir::AffineMap layout;
  /// Induction variables whose offsets are the origin (dialect values).
  llvm::SmallVector<mlir::Value> origin;

  /// The type of its elements.
  mlir::Type element() const {
    return mlir::cast<mlir::MemRefType>(memref.getType()).getElementType();
  }

  /// Describes `buffer` (an argument, or the result of `pruner.alloc`,
  /// `pruner.stage` or `pruner.packed`)
  /// whose memory is `memref`, a memref of the buffer's shape; flattens it.
  static FlatBuffer create(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value buffer, mlir::Value memref);
};

/// Where the lanes of a vector access lie.
struct LaneAddress {
  /// Element address of lane zero.
  IndexForm address;
  /// Elements from lane to lane; nothing if the lanes are irregular.
  std::optional<int64_t> laneStride;
};

/// Address of the tensor coordinates `coords` (absolute: the terms of the
/// buffer's origin are dropped here), with `steps[r]` the move of coordinate r
/// from lane to lane.
LaneAddress getAddress(IndexBuilder &indices, const FlatBuffer &buffer,
                       llvm::ArrayRef<IndexForm> coords,
                       llvm::ArrayRef<int64_t> steps, int64_t lanes);

/// `map` (linear, see toAccessMap) of forms.
llvm::SmallVector<IndexForm> applyMap(mlir::AffineMap map,
                                      llvm::ArrayRef<IndexForm> inputs);

/// `map` of moves: what each result moves by when its inputs move.
llvm::SmallVector<int64_t> applyMoves(mlir::AffineMap map,
                                      llvm::ArrayRef<int64_t> moves);

/// Whether result-relevant `dim` occurs in `map`.
bool usesDim(mlir::AffineMap map, unsigned dim);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_BUFFERACCESS_H
