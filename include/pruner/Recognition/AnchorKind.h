//===- AnchorKind.h - classify the reduction of an anchor -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECOGNITION_ANCHORKIND_H
#define PRUNER_RECOGNITION_ANCHORKIND_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace pruner {

struct AnchorKind {
  enum Family { Contraction, Convolution, Pooling, Reduction };
  Family family;
  /// "matmul", "conv_2d_chw_fchw", "depthwise_conv_2d_chw_chw", "pool_max_2d",
  /// "reduce_sum". It follows from the maps and the body, not from the op's
  /// name.
  std::string name;

  /// True for the families that multiply, which hold nearly all arithmetic of a
  /// network.
  bool isHeavy() const {
    return family == Contraction || family == Convolution;
  }
};

/// Describes an op that classify() calls an anchor.
///
/// A factor may be computed from an operand and broadcast ones, as a
/// dequantized weight is from its scales. A sum of products of two operands is
/// a contraction if each coordinate of the operands is one loop or a constant,
/// otherwise a convolution. The name of its layout has one letter per
/// coordinate: d, h, w are sliding coordinates; n is a loop of image and
/// result; f is a loop of filter and result; c is a summed loop of image and
/// filter; g is a loop of all three (named c in a depthwise convolution, which
/// has no other channels). Any other op with a sliding window is a pooling, and
/// an op without one is a reduction.
AnchorKind describeAnchor(mlir::linalg::LinalgOp op);

/// The two body arguments whose product `value` is; casts of arguments and of
/// the product are skipped. None for the square of one value, which reads one
/// tensor.
std::optional<std::pair<mlir::BlockArgument, mlir::BlockArgument>>
matchProduct(mlir::Value value);

} // namespace pruner

#endif // PRUNER_RECOGNITION_ANCHORKIND_H
