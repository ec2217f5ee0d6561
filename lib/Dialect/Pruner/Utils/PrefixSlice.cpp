//===- PrefixSlice.cpp - slices that move no data -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/PrefixSlice.h"

using namespace mlir;

bool pruner::isPrefixSlice(tensor::ExtractSliceOp slice) {
  if (!slice.getSourceType().hasStaticShape() ||
      !slice.getType().hasStaticShape())
    return false;
  bool isInside = false; // Inside a dimension of more than one element.
  for (auto [size, extent, offset, stride] :
       llvm::zip_equal(slice.getStaticSizes(), slice.getSourceType().getShape(),
                       slice.getStaticOffsets(), slice.getStaticStrides())) {
    // The marker of a dynamic offset is not zero either.
    if (offset != 0 || (size != 1 && stride != 1) ||
        (isInside && size != extent))
      return false;
    isInside |= size != 1;
  }
  return true;
}
