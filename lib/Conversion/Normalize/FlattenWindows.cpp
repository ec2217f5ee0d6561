//===- FlattenWindows.cpp - windows and channels as one dimension ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_FLATTENWINDOWSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// A convolution over pixels of few channels: its image has the coordinates
/// (..., window + rest, channel), and its filter (..., window, channel, ...).
struct PixelWindows {
  unsigned image, filter;
  /// The loops, and the place of `window` among the filter's coordinates.
  unsigned window, channel, place;
  /// The channels of a pixel.
  int64_t channels;
};
} // namespace

/// Whether only coordinate `r` of `map` depends on `loop`.
static bool isOnlyIn(AffineMap map, unsigned loop, unsigned r) {
  for (auto [n, expr] : llvm::enumerate(map.getResults()))
    if (expr.isFunctionOfDim(loop) != (n == r))
      return false;
  return true;
}

/// The sum of a term `window` and others.
static bool hasTerm(AffineExpr expr, AffineExpr window, unsigned dims) {
  unsigned loop = cast<AffineDimExpr>(window).getPosition();
  return !simplifyAffineExpr(expr - window, dims, 0).isFunctionOfDim(loop);
}

/// Matches `op` with its image as input number `image`.
static std::optional<PixelWindows> match(linalg::LinalgOp op, unsigned image) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap pixels = maps[image], filter = maps[1 - image];
  unsigned rank = pixels.getNumResults(), loops = pixels.getNumDims();
  if (rank < 2)
    return std::nullopt;
  auto channel = dyn_cast<AffineDimExpr>(pixels.getResult(rank - 1));
  if (!channel || !isOnlyIn(pixels, channel.getPosition(), rank - 1))
    return std::nullopt;
  for (unsigned place = 0; place + 1 < filter.getNumResults(); ++place) {
    auto window = dyn_cast<AffineDimExpr>(filter.getResult(place));
    if (!window || filter.getResult(place + 1) != channel ||
        !isOnlyIn(filter, window.getPosition(), place) ||
        !isOnlyIn(filter, channel.getPosition(), place + 1) ||
        !isOnlyIn(pixels, window.getPosition(), rank - 2) ||
        !hasTerm(pixels.getResult(rank - 2), window, loops))
      continue;
    unsigned along = window.getPosition(), across = channel.getPosition();
    if (maps[2].isFunctionOfDim(along) || maps[2].isFunctionOfDim(across))
      continue;
    return PixelWindows{image,  1 - image, along,
                        across, place,     op.getStaticLoopRanges()[across]};
  }
  return std::nullopt;
}

/// The fewest bytes of a pixel for which its channels are left apart: a row of
/// the tiles of matrix instructions.
static constexpr int64_t kPixelBytes = 64;

static std::optional<PixelWindows> match(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.hasDynamicShape() ||
      op.getBlock()->getNumArguments() != 3 ||
      !pruner::matchExactProduct(*op.getBlock()))
    return std::nullopt;
  for (unsigned image : {0, 1}) {
    Type element =
        getElementTypeOrSelf(op.getDpsInputOperand(image)->get().getType());
    unsigned width =
        element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
    std::optional<PixelWindows> found = match(op, image);
    if (found && (isa<IntegerType>(element) || width == 16) &&
        found->channels * width < kPixelBytes * 8 &&
        op.getStaticLoopRanges()[found->window] > 1)
      return found;
  }
  return std::nullopt;
}

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
/// behind the collapse, so that it stays next to its reader.
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

/// Replaces `op` by one with a single loop over the channels of the pixels of a
/// window.
static void flatten(IRRewriter &rewriter, linalg::LinalgOp op,
                    const PixelWindows &windows) {
  rewriter.setInsertionPoint(op);
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
  for (auto [n, map] : llvm::enumerate(op.getIndexingMapsArray())) {
    SmallVector<AffineExpr> results(map.getResults());
    if (n == windows.image) {
      results.pop_back();
      results.back() = simplifyAffineExpr(
          (results.back() - window) * windows.channels + window, loops, 0);
    } else if (n == windows.filter) {
      results.erase(results.begin() + windows.place + 1);
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
  inputs[windows.filter] = collapse(
      rewriter, op.getDpsInputOperand(windows.filter)->get(), windows.place);
  auto generic =
      linalg::GenericOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                inputs, op.getDpsInits(), maps, kinds);
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().end());
  rewriter.replaceOp(op, generic);
}

namespace {
struct FlattenWindows : pruner::impl::FlattenWindowsPassBase<FlattenWindows> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<std::pair<linalg::LinalgOp, PixelWindows>> found;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (std::optional<PixelWindows> windows = match(op))
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
