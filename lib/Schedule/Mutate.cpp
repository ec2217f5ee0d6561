//===- Mutate.cpp - small changes to a schedule ---------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Legality.h"
#include "pruner/Analysis/Resources.h"
#include "pruner/Schedule/SketchSpace.h"

#include <algorithm>
#include <iterator>

using namespace pruner;

static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

template <typename Range> static auto &pick(Range &range, Random &random) {
  return range[random.uniform(std::size(range))];
}

void SketchSpace::repair(Schedule &s) const {
  if (std::optional<unsigned> along = vectorDimOf(s)) {
    int64_t &columns = s.tiles[*along].back();
    columns = ceilDiv(columns, s.vector) * s.vector;
  }
  for (unsigned d = 0; d < s.tiles.size(); ++d) {
    int64_t inside = 1;
    for (unsigned l = s.tiles[d].size(); l-- > 0;) {
      int64_t limit = remaining(d, inside);
      if (lanesAlong(s, d) && l + 1 == s.tiles[d].size())
        limit = ceilDiv(limit, s.vector) * s.vector;
      s.tiles[d][l] = std::min(s.tiles[d][l], limit);
      inside *= s.tiles[d][l];
    }
  }
  repairSplit(s);
}

void SketchSpace::repairSplit(Schedule &s) const {
  auto *parts = s.split.begin();
  for (unsigned d = 0; d < s.tiles.size() && parts != s.split.end(); ++d)
    if (taskDesc.anchorStatement().dims[d].reduction) {
      *parts = std::min(*parts, remaining(d, s.tileSize(d)));
      ++parts;
    }
  if (!s.splitsReduction())
    s.split.clear();
}

/// A divisor of `number` other than 1.
static int64_t drawDivisor(int64_t number, Random &random) {
  llvm::SmallVector<int64_t, 16> divisors;
  for (int64_t d = 1; d * d <= number; ++d) {
    if (number % d != 0)
      continue;
    if (d > 1)
      divisors.push_back(d);
    if (number / d != d)
      divisors.push_back(number / d);
  }
  return divisors[random.uniform(divisors.size())];
}

bool SketchSpace::mutateTile(Schedule &s, Random &random) const {
  const auto &dims = taskDesc.anchorStatement().dims;
  llvm::SmallVector<unsigned, 8> tiled;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d].extent > 1 && !s.tiles[d].empty())
      tiled.push_back(d);
  if (tiled.empty())
    return false;
  unsigned d = pick(tiled, random);
  auto &tiles = s.tiles[d];
  auto unit = [&](unsigned level) {
    int64_t lanes = lanesAlong(s, d);
    return lanes && level + 1 == tiles.size() ? lanes : int64_t(1);
  };
  unsigned level = random.uniform(tiles.size());
  switch (random.uniform(4)) {
  case 0:
  case 1: {
    // Level tiles.size() stands for the outermost one, which has what is left.
    unsigned from = random.uniform(tiles.size() + 1);
    unsigned to = random.uniform(tiles.size());
    if (to >= from)
      ++to;
    bool outer = from == tiles.size();
    int64_t factor =
        outer ? remaining(d, s.tileSize(d)) : tiles[from] / unit(from);
    if (factor <= 1)
      return false;
    int64_t part = drawDivisor(factor, random);
    // What is left outside need not divide.
    if (outer && random.uniform(2))
      part = std::min<int64_t>(factor, 2 + random.uniform(3));
    if (!outer)
      tiles[from] /= part;
    if (to < tiles.size())
      tiles[to] *= part;
    break;
  }
  case 2: {
    bool up = random.uniform(2);
    int64_t step = unit(level);
    if (!up && tiles[level] <= step)
      return false;
    tiles[level] += up ? step : -step;
    break;
  }
  default: {
    std::vector<int64_t> values = choices(
        d, level, remaining(d, s.tileSize(d, level + 1)), lanesAlong(s, d));
    tiles[level] = pick(values, random);
    break;
  }
  }
  repair(s);
  return true;
}

std::optional<Schedule> SketchSpace::mutate(const Schedule &schedule,
                                            Random &random) const {
  for (unsigned attempt = 0; attempt < options.attempts; ++attempt) {
    Schedule s = schedule;
    unsigned knob = random.uniform(1000);
    auto restage = [&] {
      if (!s.stages.empty()) {
        unsigned i = random.uniform(s.stages.size());
        s.stages[i] = pick(stages[i], random);
      }
    };
    if (knob < 20 && splits.size() > 1) {
      s.split = pick(splits, random);
      repairSplit(s);
    } else if (knob < 900) {
      if (!mutateTile(s, random))
        continue;
    } else if (knob < 940) {
      if (prefetches.size() > 1 && random.uniform(2))
        s.prefetch = pick(prefetches, random);
      else
        s.unroll = pick(unrolls, random);
    } else if (isGpu(sketch)) {
      if (knob < 960)
        s.vector = pick(vectors, random);
      else if (knob < 980)
        s.pad = pick(pads, random);
      else
        restage();
    } else if (knob < 990) {
      restage();
    } else if (knob < 995) {
      s.order = pick(orders, random);
    } else {
      bool turn = vectorDims.size() > 1 && random.uniform(2);
      if (turn)
        s.vectorDim = pick(vectorDims, random);
      else
        s.vector = pick(vectors, random);
      repair(s);
    }
    if (s == schedule || checkSchedule(taskDesc, s, device))
      continue;
    return s;
  }
  return std::nullopt;
}

std::optional<Schedule> SketchSpace::crossover(const Schedule &a,
                                               const Schedule &b,
                                               Random &random) const {
  for (unsigned attempt = 0; attempt < options.attempts; ++attempt) {
    Schedule s = a;
    auto fromB = [&] { return random.uniform(2) == 1; };
    for (unsigned d = 0; d < s.tiles.size(); ++d)
      if (!lanesAlong(a, d) && !lanesAlong(b, d) && fromB())
        s.tiles[d] = b.tiles[d];
    // The vector and the tile along it belong together.
    if (fromB()) {
      s.vector = b.vector;
      s.vectorDim = b.vectorDim;
      for (unsigned d = 0; d < s.tiles.size(); ++d)
        if (lanesAlong(a, d) || lanesAlong(b, d))
          s.tiles[d] = b.tiles[d];
    }
    for (unsigned i = 0; i < s.stages.size(); ++i)
      if (fromB())
        s.stages[i] = b.stages[i];
    if (fromB())
      s.unroll = b.unroll;
    if (fromB())
      s.pad = b.pad;
    if (fromB())
      s.order = b.order;
    if (prefetches.size() > 1 && fromB())
      s.prefetch = b.prefetch;
    if (splits.size() > 1) {
      if (fromB())
        s.split = b.split;
      repairSplit(s);
    }
    if (!checkSchedule(taskDesc, s, device))
      return s;
  }
  return std::nullopt;
}
