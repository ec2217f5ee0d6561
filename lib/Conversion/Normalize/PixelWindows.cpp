//===- PixelWindows.cpp - windows over pixels of few channels -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PixelWindows.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace pruner;

/// The fewest bytes of a pixel for which its channels are left apart: a row of
/// the tiles of matrix instructions.
static constexpr int64_t kPixelBytes = 64;

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

/// Matches `op` with its image as input number `image`, whose channels are
/// coordinate `channelsAt`.
static std::optional<PixelWindows> match(linalg::LinalgOp op, unsigned image,
                                         unsigned channelsAt) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap pixels = maps[image], filter = maps[1 - image];
  auto channel = dyn_cast<AffineDimExpr>(pixels.getResult(channelsAt));
  if (!channel || !isOnlyIn(pixels, channel.getPosition(), channelsAt))
    return std::nullopt;
  unsigned across = channel.getPosition();
  std::optional<unsigned> inFilter = filter.getResultPosition(channel);
  if (!inFilter || !isOnlyIn(filter, across, *inFilter) ||
      maps[2].isFunctionOfDim(across))
    return std::nullopt;
  // The last coordinate of a pixel.
  unsigned last = pixels.getNumResults() - 1;
  unsigned row = last == channelsAt ? last - 1 : last;
  for (auto [place, expr] : llvm::enumerate(filter.getResults())) {
    auto window = dyn_cast<AffineDimExpr>(expr);
    if (!window || window == channel)
      continue;
    unsigned along = window.getPosition();
    if (isOnlyIn(filter, along, place) && isOnlyIn(pixels, along, row) &&
        hasTerm(pixels.getResult(row), window, pixels.getNumDims()) &&
        !maps[2].isFunctionOfDim(along))
      return PixelWindows{image,      1 - image,
                          along,      across,
                          channelsAt, unsigned(place),
                          *inFilter,  op.getStaticLoopRanges()[across]};
  }
  return std::nullopt;
}

std::optional<PixelWindows> pruner::matchPixelWindows(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.hasDynamicShape() ||
      op.getBlock()->getNumArguments() != 3 ||
      !matchExactProduct(*op.getBlock()))
    return std::nullopt;
  for (unsigned image : {0, 1}) {
    OpOperand *operand = op.getDpsInputOperand(image);
    Type element = getElementTypeOrSelf(operand->get().getType());
    unsigned width =
        element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
    unsigned rank = op.getMatchingIndexingMap(operand).getNumResults();
    if (rank < 2 || (!isa<IntegerType>(element) && width != 16))
      continue;
    // Channels that are last already are preferred.
    for (unsigned channelsAt = rank; channelsAt-- > 0;)
      if (std::optional<PixelWindows> found = match(op, image, channelsAt))
        if (found->channels * width < kPixelBytes * 8 &&
            op.getStaticLoopRanges()[found->window] > 1)
          return found;
  }
  return std::nullopt;
}
