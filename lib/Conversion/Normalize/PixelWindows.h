//===- PixelWindows.h - windows over pixels of few channels -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_PIXELWINDOWS_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_PIXELWINDOWS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace pruner {

/// A convolution over pixels of few channels. If `channelsAt` is the last
/// coordinate of the image, the pixels of a row of a window are contiguous, and
/// one loop can run over all of their channels.
struct PixelWindows {
  unsigned image, filter; ///< The numbers of the inputs.
  /// The loop over the pixels of a row of the window, and over channels.
  unsigned window, channel;
  /// The coordinates that are these loops.
  unsigned channelsAt;                       ///< Of the image.
  unsigned windowInFilter, channelsInFilter; ///< Of the filter.
  int64_t channels;                          ///< The channels of a pixel.
};

/// Matches sums of products of integers, or of floats of 16 bits, over windows
/// without dilation, if a pixel is shorter than a row of the tiles of matrix
/// instructions. A row of a window is the last dimension but the channels.
std::optional<PixelWindows> matchPixelWindows(mlir::linalg::LinalgOp op);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_PIXELWINDOWS_H
