//===- MatchConvolution.h - sums over windows of an image -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_MATCHCONVOLUTION_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_MATCHCONVOLUTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace pruner {

/// A convolution in f32 whose windows move by one element along each of their
/// dimensions, without dilation. It starts from zero. The image may be narrower
/// than f32 and be extended. Loops are numbers of loops of `op`.
struct Convolution {
  mlir::linalg::LinalgOp op;
  unsigned imageInput, filterInput; ///< Their numbers among the inputs.
  mlir::AffineMap imageMap, filterMap, resultMap;
  llvm::SmallVector<int64_t> extents; ///< Of the loops.

  /// A coordinate `loop` + `window` of the image.
  struct Slide {
    unsigned loop, window;
  };
  llvm::SmallVector<Slide, 2> slides;
  /// Loops that all three tensors have.
  llvm::SmallVector<unsigned> groups;
  /// Loops of image and result, those of slides included.
  llvm::SmallVector<unsigned> rows;
  /// Loops of image and filter, except windows: reductions.
  llvm::SmallVector<unsigned> channels;
  /// Loops of filter and result.
  llvm::SmallVector<unsigned> filters;

  // Read from the op, whose operands may have been replaced.
  mlir::Value image() const { return op->getOperand(imageInput); }
  mlir::Value filter() const { return op->getOperand(filterInput); }
  /// The slide over a loop of the result; null for other loops.
  const Slide *slideOf(unsigned loop) const;
  int64_t extent(unsigned loop) const { return extents[loop]; }
  /// The product of the extents of some loops.
  int64_t extent(llvm::ArrayRef<unsigned> loops) const;
};

/// Matches an op with at least one slide, one channel loop and one filter loop,
/// whose coordinates are slides and single loops.
std::optional<Convolution> matchConvolution(mlir::linalg::LinalgOp op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_MATCHCONVOLUTION_H
