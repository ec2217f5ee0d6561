//===- TaskSize.cpp - what is too large to be tuned -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/TaskFromIR.h"
#include "pruner/Support/Sizes.h"

using namespace mlir;
using namespace pruner;

/// "1024x1024"; the product may be too large to be printed.
static std::string shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return text;
}

std::optional<std::string> pruner::whyTooLarge(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (boxSize(extents) > kMaxPoints)
    return "its " + shapeText(extents) + " points are more than " +
           std::to_string(kMaxPoints) + ", the most that can be tuned";
  for (Type type : op->getOperandTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !tensor.getElementType().isIntOrFloat())
      continue;
    int64_t bytes =
        mulSizes(boxSize(tensor.getShape()),
                 llvm::divideCeil(tensor.getElementTypeBitWidth(), 8));
    if (bytes > kMaxTensorBytes)
      return "a tensor of " + shapeText(tensor.getShape()) +
             " elements has more than " + std::to_string(kMaxTensorBytes) +
             " bytes, the most that can be tuned";
  }
  return std::nullopt;
}
