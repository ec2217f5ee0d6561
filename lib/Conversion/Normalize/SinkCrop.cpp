//===- SinkCrop.cpp - crop results after elementwise ops ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SinkCrop.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// The source of `value` if it is cut off as `crop` is; null otherwise.
static Value sourceOfSameCrop(Value value, tensor::ExtractSliceOp crop) {
  auto other = value.getDefiningOp<tensor::ExtractSliceOp>();
  return other && other.getSourceType() == crop.getSourceType() &&
                 other.getMixedOffsets() == crop.getMixedOffsets() &&
                 other.getMixedSizes() == crop.getMixedSizes() &&
                 other.getMixedStrides() == crop.getMixedStrides()
             ? other.getSource()
             : Value();
}

/// The inputs with which `op`, which reads `crop`, computes as many elements as
/// the source of `crop` has; none if it cannot.
static std::optional<SmallVector<Value>>
wholeInputs(linalg::GenericOp op, tensor::ExtractSliceOp crop) {
  if (!op.hasPureTensorSemantics() || op.getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() || op.hasIndexSemantics() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() ||
      op.getMatchingBlockArgument(op.getDpsInitOperand(0)).getNumUses() != 0)
    return std::nullopt;
  RankedTensorType whole = crop.getSourceType(), part = crop.getType();
  SmallVector<Value> inputs;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    Value source = sourceOfSameCrop(operand->get(), crop);
    // Only then are the dimensions of the crop those of the result.
    if (operand->get() == crop.getResult() && !map.isIdentity())
      return std::nullopt;
    bool depends =
        llvm::any_of(llvm::seq<int64_t>(0, part.getRank()), [&](int64_t dim) {
          return whole.getDimSize(dim) != part.getDimSize(dim) &&
                 map.isFunctionOfDim(dim);
        });
    if (depends && (!source || !map.isIdentity()))
      return std::nullopt;
    inputs.push_back(depends ? source : operand->get());
  }
  return inputs;
}

void pruner::sinkCrop(RewriterBase &rewriter, tensor::ExtractSliceOp crop) {
  while (crop->hasOneUse()) {
    auto op = dyn_cast<linalg::GenericOp>(*crop->user_begin());
    if (!op || crop.getType().getRank() != crop.getSourceType().getRank())
      return;
    auto inputs = wholeInputs(op, crop);
    if (!inputs)
      return;
    rewriter.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    auto whole = crop.getSourceType().clone(type.getElementType());
    Value init = tensor::EmptyOp::create(
        rewriter, op.getLoc(), whole.getShape(), type.getElementType());
    auto wide = linalg::GenericOp::create(rewriter, op.getLoc(), whole, *inputs,
                                          init, op.getIndexingMapsArray(),
                                          op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(op.getRegion(), wide.getRegion(),
                               wide.getRegion().end());
    auto sunk = tensor::ExtractSliceOp::create(
        rewriter, crop.getLoc(), type, wide->getResult(0),
        crop.getMixedOffsets(), crop.getMixedSizes(), crop.getMixedStrides());
    rewriter.replaceOp(op, sunk);
    rewriter.eraseOp(crop);
    crop = sunk;
  }
}
