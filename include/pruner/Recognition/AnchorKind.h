//===- AnchorKind.h - what kind of reduction an anchor is -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECOGNITION_ANCHORKIND_H
#define PRUNER_RECOGNITION_ANCHORKIND_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <string>

namespace pruner {

struct AnchorKind {
  enum Family { Contraction, Convolution, Pooling, Reduction };
  Family family;
  /// "matmul", "conv_2d_chw_fchw", "depthwise_conv_2d_chw_chw", "pool_max_2d",
  /// "reduce_sum": from the maps and the body, whatever the op is called.
  std::string name;

  /// The families that multiply: nearly all arithmetic of a network.
  bool isHeavy() const {
    return family == Contraction || family == Convolution;
  }
};

/// Describes an op that classify() calls an anchor.
///
/// A sum of products of two operands is a contraction if each coordinate of
/// the operands is one loop or constant, a convolution otherwise. Its layout is
/// spelled by a letter a coordinate: d, h, w are those that slide; n is a loop
/// of image and result, f one of filter and result, c one of image and filter
/// that is summed up, g one of all three (c in a depthwise convolution, which
/// has no other channels). Everything else that slides a window is a pooling,
/// and what does not is a reduction.
AnchorKind describeAnchor(mlir::linalg::LinalgOp op);

/// The arguments of a body whose product `value` is, all of them perhaps after
/// casts. Not the square of one value, which takes one tensor.
std::optional<std::pair<mlir::BlockArgument, mlir::BlockArgument>>
matchProduct(mlir::Value value);

} // namespace pruner

#endif // PRUNER_RECOGNITION_ANCHORKIND_H
