//===- FlattenWindows.cpp - windows and channels as one dimension ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "PixelWindows.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using pruner::PixelWindows;

namespace pruner {
#define GEN_PASS_DEF_FLATTENWINDOWSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// `value` with dimensions `first` and `first` + 1 as one.
static Value collapse(OpBuilder &builder, Value value, unsigned first) {
  SmallVector<ReassociationIndices> groups;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t r = 0; r < rank; ++r) {
    if (r == first + 1)
      groups.back().push_back(r);
    else
      groups.push_back({r});
  }
  return tensor::CollapseShapeOp::create(builder, value.getLoc(), value,
                                         groups);
}

/// The image with its last two dimensions as one. A pad of pixels is moved
/// after the collapse, so that it stays next to its reader.
static Value collapseImage(OpBuilder &builder, Value image, int64_t channels) {
  unsigned first = cast<RankedTensorType>(image.getType()).getRank() - 2;
  auto pad = image.getDefiningOp<tensor::PadOp>();
  if (!pad || !pad.getConstantPaddingValue() ||
      ShapedType::isDynamicShape(pad.getStaticLow()) ||
      ShapedType::isDynamicShape(pad.getStaticHigh()) ||
      pad.getStaticLow().back() != 0 || pad.getStaticHigh().back() != 0)
    return collapse(builder, image, first);
  auto flatten = [&](ArrayRef<int64_t> sizes) {
    SmallVector<OpFoldResult> result;
    for (int64_t size : sizes.drop_back(2))
      result.push_back(builder.getIndexAttr(size));
    result.push_back(builder.getIndexAttr(sizes[first] * channels));
    return result;
  };
  Value source = collapse(builder, pad.getSource(), first);
  return tensor::PadOp::create(builder, pad.getLoc(), Type(), source,
                               flatten(pad.getStaticLow()),
                               flatten(pad.getStaticHigh()),
                               pad.getConstantPaddingValue(), pad.getNofold());
}

/// Moves the channels of a constant filter after its windows, and its map with
/// them.
static Value moveChannels(OpBuilder &builder, Value filter, AffineMap &map,
                          PixelWindows &windows) {
  SmallVector<int64_t> order;
  for (int64_t place = 0, rank = map.getNumResults(); place < rank; ++place) {
    if (place != windows.channelsInFilter)
      order.push_back(place);
    if (place == windows.windowInFilter)
      order.push_back(windows.channelsInFilter);
  }
  map = AffineMap::get(map.getNumDims(), 0,
                       applyPermutation(map.getResults(), ArrayRef(order)),
                       map.getContext());
  windows.windowInFilter -= windows.channelsInFilter < windows.windowInFilter;
  windows.channelsInFilter = windows.windowInFilter + 1;
  auto type = cast<RankedTensorType>(filter.getType());
  Value empty = tensor::EmptyOp::create(
      builder, filter.getLoc(),
      applyPermutation(type.getShape(), ArrayRef(order)),
      type.getElementType());
  return linalg::TransposeOp::create(builder, filter.getLoc(), filter, empty,
                                     order)
      ->getResult(0);
}

/// Replaces `op` by one with a single loop over the channels of the pixels of a
/// window.
static void flatten(IRRewriter &rewriter, linalg::LinalgOp op,
                    PixelWindows windows) {
  rewriter.setInsertionPoint(op);
  SmallVector<AffineMap> former = op.getIndexingMapsArray();
  Value filter = op.getDpsInputOperand(windows.filter)->get();
  if (windows.channelsInFilter != windows.windowInFilter + 1)
    filter = moveChannels(rewriter, filter, former[windows.filter], windows);
  // The loop over windows also runs over channels, which have none.
  unsigned loops = op.getNumLoops();
  SmallVector<AffineExpr> loopOf;
  for (unsigned loop = 0, next = 0; loop < loops; ++loop)
    loopOf.push_back(loop == windows.channel
                         ? rewriter.getAffineConstantExpr(0)
                         : rewriter.getAffineDimExpr(next++));
  auto renumber = [&](AffineExpr expr) { return expr.replaceDims(loopOf); };
  AffineExpr window = rewriter.getAffineDimExpr(windows.window);

  SmallVector<AffineMap> maps;
  for (auto [n, map] : llvm::enumerate(former)) {
    SmallVector<AffineExpr> results(map.getResults());
    if (n == windows.image) {
      results.pop_back();
      results.back() = simplifyAffineExpr(
          (results.back() - window) * windows.channels + window, loops, 0);
    } else if (n == windows.filter) {
      results.erase(results.begin() + windows.channelsInFilter);
    }
    for (AffineExpr &result : results)
      result = renumber(result);
    maps.push_back(AffineMap::get(loops - 1, 0, results, op.getContext()));
  }
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  kinds.erase(kinds.begin() + windows.channel);
  SmallVector<Value> inputs(2);
  inputs[windows.image] = collapseImage(
      rewriter, op.getDpsInputOperand(windows.image)->get(), windows.channels);
  inputs[windows.filter] = collapse(rewriter, filter, windows.windowInFilter);
  auto generic =
      linalg::GenericOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                inputs, op.getDpsInits(), maps, kinds);
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().end());
  rewriter.replaceOp(op, generic);
}

/// Whether the channels are the last dimension of the image, and follow the
/// windows in the filter or can be moved there ahead of time.
static bool canFlatten(linalg::LinalgOp op, const PixelWindows &windows) {
  AffineMap image =
      op.getMatchingIndexingMap(op.getDpsInputOperand(windows.image));
  return windows.channelsAt + 1 == image.getNumResults() &&
         (windows.channelsInFilter == windows.windowInFilter + 1 ||
          pruner::isConstantTensor(
              op.getDpsInputOperand(windows.filter)->get()));
}

namespace {
struct FlattenWindows : pruner::impl::FlattenWindowsPassBase<FlattenWindows> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<std::pair<linalg::LinalgOp, PixelWindows>> found;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (std::optional<PixelWindows> windows = pruner::matchPixelWindows(op);
          windows && canFlatten(op, *windows))
        found.emplace_back(op, *windows);
    });
    IRRewriter rewriter(&getContext());
    for (auto &[op, windows] : found) {
      flatten(rewriter, op, windows);
      ++numFlattened;
    }
  }
};
} // namespace
