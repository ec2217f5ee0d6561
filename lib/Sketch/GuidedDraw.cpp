//===- GuidedDraw.cpp - draws of good tile factors ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GuidedDraw.h"
#include "pruner/Support/Sizes.h"

#include <algorithm>

using namespace pruner;

void pruner::drawInstruction(const TileSpace &tiles, Schedule &s,
                             Random &random) {
  if (tiles.instructions().size() == 1 || chance(random, 5))
    return;
  s.instruction =
      tiles.instructions()[1 + random.uniform(tiles.instructions().size() - 1)];
  if (!instructionUse(tiles.task(), s))
    s.instruction = 0;
}

std::optional<unsigned> pruner::drawVectors(const TileSpace &tiles, Schedule &s,
                                            Random &random) {
  s.vector = chance(random, 85) ? tiles.vectors().back()
                                : pick(tiles.vectors(), random);
  s.vectorDim = pick(tiles.vectorDims(), random);
  drawInstruction(tiles, s, random);
  std::optional<unsigned> along = tiles.vectorDimOf(s);
  if (along && tiles.dims()[*along].reduction)
    return std::nullopt;
  return along;
}

void pruner::fillOuter(const TileSpace &tiles, Schedule &s, unsigned dim,
                       unsigned levels, Random &random) {
  for (unsigned level = levels; level-- > 0;)
    s.tiles[dim][level] = tiles.draw(s, dim, level, random);
}

void pruner::spreadRows(const TileSpace &tiles, Schedule &s, int64_t rows,
                        Random &random) {
  llvm::ArrayRef<IterDim> dims = tiles.dims();
  llvm::SmallVector<unsigned, 6> candidates;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!dims[d].reduction && !tiles.unitAlong(s, d) && dims[d].extent > 1)
      candidates.push_back(d);
  random.shuffle(candidates);
  for (unsigned d : candidates) {
    int64_t extent = dims[d].extent;
    int64_t most = std::min(rows, extent);
    int64_t take = chance(random, 75) ? most : 1 + random.uniform(most);
    if (chance(random, 50)) {
      int64_t best = take;
      for (int64_t less = take; less >= 1 && less >= take - take / 4; --less)
        if (ceilDiv(extent, less) * less < ceilDiv(extent, best) * best)
          best = less;
      take = best;
    }
    s.tiles[d].back() = take;
    rows /= take;
    if (rows <= 1)
      return;
  }
}

void pruner::spreadFactors(const TileSpace &tiles, Schedule &s, unsigned level,
                           int64_t total, Random &random) {
  llvm::SmallVector<unsigned, 6> parallels;
  for (unsigned d = 0; d < s.tiles.size(); ++d)
    if (!tiles.dims()[d].reduction)
      parallels.push_back(d);
  for (unsigned misses = 0; total > 1 && misses < 4 && !parallels.empty();) {
    int64_t factor = 2;
    while (total % factor != 0)
      ++factor;
    unsigned d = pick(parallels, random);
    int64_t left = tiles.remaining(d, s.tileSize(d, level + 1));
    if (s.tiles[d][level] * factor > left) {
      ++misses;
      continue;
    }
    s.tiles[d][level] *= factor;
    total /= factor;
  }
}

void pruner::spreadThreads(const TileSpace &tiles, Schedule &s, unsigned level,
                           Random &random) {
  const int64_t threads[] = {32, 64, 128, 128, 256, 256, 256, 512, 1024};
  spreadFactors(tiles, s, level, pick(threads, random), random);
}

/// Whether only register tiles matter: operands are reused often, and there are
/// enough outputs to fill any GPU without splitting a reduction.
static bool isDense(const TaskDesc &task) {
  const StatementDesc &anchor = task.anchorStatement();
  double iterations = 1, outputs = 1, elements = 1;
  for (const IterDim &dim : anchor.dims) {
    iterations *= double(dim.extent);
    outputs *= dim.reduction ? 1 : double(dim.extent);
  }
  for (const OperandDesc &input : anchor.inputs)
    elements += double(task.tensors[input.tensor].elements());
  return iterations / elements >= 8 && outputs >= 65536;
}

unsigned pruner::shareAcrossThreads(const TaskDesc &task) {
  return isDense(task) ? 5 : 50;
}
