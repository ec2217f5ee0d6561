//===- ContiguousChannels.h - channels that lanes run along -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_CONTIGUOUSCHANNELS_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_CONTIGUOUSCHANNELS_H

#include "pruner/Machine/Machine.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace pruner {

/// A loop that is a coordinate of an input.
struct InputLoop {
  unsigned input; ///< The number of the input.
  unsigned loop;
};

/// The image and the channel loop of `op`, if it is a depthwise convolution:
/// each term is a product of an element of a window and one of a filter, and
/// channels are independent. Vectors of channels need no lanes outside of the
/// image and no shifted loads. None unless they fill half a vector of f32 on
/// each of `machines`, which are CPUs.
std::optional<InputLoop> channelsOfDepthwise(mlir::linalg::LinalgOp op,
                                             llvm::ArrayRef<Machine> machines);

/// The factor that is not constant, and the longest loop that is summed up and
/// a coordinate of both factors, if `op` is a sum of products with one constant
/// factor. None unless the loop fills half a vector, as above.
std::optional<InputLoop> channelsOfProduct(mlir::linalg::LinalgOp op,
                                           llvm::ArrayRef<Machine> machines);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_CONTIGUOUSCHANNELS_H
