//===- MatchConvolution.cpp - sums over windows of an image ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatchConvolution.h"

#include "FloatFactors.h"

#include "pruner/Recognition/TaskFromIR.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pruner;

const Convolution::Slide *Convolution::slideOf(unsigned loop) const {
  const Slide *found =
      llvm::find_if(slides, [&](const Slide &s) { return s.loop == loop; });
  return found == slides.end() ? nullptr : found;
}

int64_t Convolution::extent(ArrayRef<unsigned> loops) const {
  int64_t product = 1;
  for (unsigned loop : loops)
    product *= extent(loop);
  return product;
}

/// The sum of a loop of `result` and another one.
static std::optional<Convolution::Slide> matchSlide(AffineExpr coordinate,
                                                    AffineMap result) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(coordinate);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto a = dyn_cast<AffineDimExpr>(sum.getLHS());
  auto b = dyn_cast<AffineDimExpr>(sum.getRHS());
  if (!a || !b)
    return std::nullopt;
  if (!result.isFunctionOfDim(a.getPosition()))
    std::swap(a, b);
  return Convolution::Slide{a.getPosition(), b.getPosition()};
}

/// Matches `op` with its image as input number `image`.
static std::optional<Convolution> match(linalg::LinalgOp op, unsigned image) {
  Convolution found;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap filter = maps[1 - image], result = maps[2];
  found.op = op;
  found.imageInput = image;
  found.filterInput = 1 - image;
  found.imageMap = maps[image];
  found.filterMap = filter;
  found.resultMap = result;
  found.extents = op.getStaticLoopRanges();
  if (!filter.isProjectedPermutation() || !result.isProjectedPermutation())
    return std::nullopt;
  SmallVector<unsigned> uses(op.getNumLoops(), 0);
  for (AffineExpr coordinate : found.imageMap.getResults()) {
    if (auto slide = matchSlide(coordinate, result)) {
      if (!result.isFunctionOfDim(slide->loop) ||
          filter.isFunctionOfDim(slide->loop) ||
          result.isFunctionOfDim(slide->window) ||
          !filter.isFunctionOfDim(slide->window))
        return std::nullopt;
      ++uses[slide->loop];
      ++uses[slide->window];
      found.rows.push_back(slide->loop);
      found.slides.push_back(*slide);
      continue;
    }
    auto loop = dyn_cast<AffineDimExpr>(coordinate);
    if (!loop)
      return std::nullopt;
    unsigned position = loop.getPosition();
    ++uses[position];
    bool inFilter = filter.isFunctionOfDim(position),
         inResult = result.isFunctionOfDim(position);
    if (!inFilter && !inResult)
      return std::nullopt;
    (inFilter && inResult ? found.groups
     : inFilter           ? found.channels
                          : found.rows)
        .push_back(position);
  }
  for (AffineExpr coordinate : result.getResults()) {
    unsigned loop = cast<AffineDimExpr>(coordinate).getPosition();
    if (uses[loop] == 0 && filter.isFunctionOfDim(loop)) {
      ++uses[loop];
      found.filters.push_back(loop);
    }
  }
  if (found.slides.empty() || found.channels.empty() || found.filters.empty() ||
      llvm::any_of(uses, [](unsigned count) { return count != 1; }))
    return std::nullopt;
  return found;
}

std::optional<Convolution> pruner::matchConvolution(linalg::LinalgOp op) {
  std::optional<FloatProduct> product = matchFloatProduct(op);
  if (!product)
    return std::nullopt;
  auto start = dyn_cast_or_null<FloatAttr>(fillValueOf(op.getDpsInits()[0]));
  if (!start || !start.getValue().isZero())
    return std::nullopt;
  for (unsigned image : {0, 1})
    if (product->factors[1 - image].getType().isF32())
      if (auto found = match(op, image))
        return found;
  return std::nullopt;
}
