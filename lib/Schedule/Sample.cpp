//===- Sample.cpp - random legal schedules --------------------------------===//
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

/// True in `percent` of 100 draws.
static bool chance(Random &random, unsigned percent) {
  return random.uniform(100) < percent;
}

Schedule SketchSpace::blank() const {
  const StatementDesc &anchor = taskDesc.anchorStatement();
  Schedule s;
  s.variant = sketch;
  for (const IterDim &dim : anchor.dims)
    s.tiles.emplace_back(innerTileLevels(sketch, dim.reduction), 1);
  for (const auto &levels : stages)
    s.stages.push_back(levels.front());
  s.vector = 1;
  s.unroll = unrolls.front();
  s.pad = 0;
  return s;
}

Schedule SketchSpace::drawUniform(Random &random) const {
  Schedule s = blank();
  s.vector = pick(vectors, random);
  s.vectorDim = pick(vectorDims, random);
  for (unsigned d = 0; d < s.tiles.size(); ++d)
    s.tiles[d] = pick(chainsOf(d, s), random);
  for (unsigned i = 0; i < s.stages.size(); ++i)
    s.stages[i] = pick(stages[i], random);
  s.unroll = pick(unrolls, random);
  s.pad = pick(pads, random);
  s.order = pick(orders, random);
  if (prefetches.size() > 1)
    s.prefetch = pick(prefetches, random);
  if (splits.size() > 1) {
    s.split = pick(splits, random);
    repairSplit(s);
  }
  return s;
}

//===----------------------------------------------------------------------===//
// Guided draws
//===----------------------------------------------------------------------===//

void SketchSpace::fillOuter(Schedule &s, unsigned dim, unsigned levels,
                            Random &random) const {
  for (unsigned level = levels; level-- > 0;) {
    int64_t left = remaining(dim, s.tileSize(dim, level + 1));
    std::vector<int64_t> values = choices(dim, level, left, lanesAlong(s, dim));
    s.tiles[dim][level] = pick(values, random);
  }
}

/// Deals `rows` rows of a register tile to the parallel dimensions that
/// vectors do not run along, mostly to a single one. Every second time a
/// slightly smaller number is taken where it wastes less at the edge.
void SketchSpace::spreadRows(Schedule &s, unsigned level, int64_t rows,
                             Random &random) const {
  const auto &dims = taskDesc.anchorStatement().dims;
  llvm::SmallVector<unsigned, 6> candidates;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!dims[d].reduction && !lanesAlong(s, d) && dims[d].extent > 1)
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
    s.tiles[d][level] = take;
    rows /= take;
    if (rows <= 1)
      return;
  }
}

/// Few rows at a time and few vectors along them: chains of dependent
/// operations overlap, and nothing leaves the registers.
void SketchSpace::guideRows(Schedule &s, Random &random) const {
  const auto &dims = taskDesc.anchorStatement().dims;
  int64_t columns = ceilDiv(dims[*lastDim].extent, s.vector);
  s.tiles[*lastDim][0] =
      (1 + random.uniform(std::min<int64_t>(4, columns))) * s.vector;
  spreadRows(s, tile::Elements, 1 + random.uniform(8), random);
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!dims[d].reduction)
      fillOuter(s, d, tile::Elements, random);
}

void SketchSpace::guideCpu(Schedule &s, Random &random) const {
  const StatementDesc &anchor = taskDesc.anchorStatement();
  s.vector = chance(random, 85) ? vectors.back() : pick(vectors, random);
  s.vectorDim = pick(vectorDims, random);
  std::optional<unsigned> along = vectorDimOf(s);
  // Lanes of a reduction are no columns of the register tile.
  bool reduces = along && anchor.dims[*along].reduction;
  if (reduces)
    along = std::nullopt;
  unsigned level = registerTileLevel(sketch);
  if (sketch == Variant::CpuRow)
    return guideRows(s, random);
  int64_t columns = 1, rows = 1 + random.uniform(4);
  int64_t widest = along ? ceilDiv(anchor.dims[*along].extent, s.vector) : 1;
  if (sketch == Variant::CpuMap) {
    columns = 1 + random.uniform(std::min<int64_t>(8, widest));
  } else {
    // As in rule R11: accumulators, the vectors of each operand that runs
    // along them, and one register for all others.
    int64_t held = 0, shared = 0;
    for (const OperandDesc &input : anchor.inputs) {
      bool moves = false;
      for (const LinearExpr &expr : input.map)
        moves |= along && expr.uses(*along);
      (moves ? held : shared) += 1;
    }
    int64_t registers = std::max<int64_t>(2, device.vectorRegisters);
    registers -= shared > 0;
    int64_t most = std::clamp<int64_t>(registers / (1 + held), 1, widest);
    // One to four vectors: more columns leave too few rows to pay for them.
    if (chance(random, 70))
      most = std::min<int64_t>(most, 4);
    columns = 1 + random.uniform(most);
    int64_t fit = std::max<int64_t>(1, registers / columns - held);
    rows = chance(random, 70) ? fit - random.uniform(fit / 4 + 1)
                              : 1 + random.uniform(fit);
  }
  if (along)
    s.tiles[*along][level] = columns * s.vector;
  spreadRows(s, level, rows, random);
  for (unsigned d = 0; d < anchor.dims.size(); ++d)
    fillOuter(s, d, anchor.dims[d].reduction ? s.tiles[d].size() : level,
              random);
}

/// Deals the factors of `total` to the parallel dimensions one by one.
void SketchSpace::spreadFactors(Schedule &s, unsigned level, int64_t total,
                                Random &random) const {
  const auto &dims = taskDesc.anchorStatement().dims;
  llvm::SmallVector<unsigned, 6> parallels;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!dims[d].reduction)
      parallels.push_back(d);
  for (unsigned misses = 0; total > 1 && misses < 4 && !parallels.empty();) {
    int64_t factor = 2;
    while (total % factor != 0)
      ++factor;
    unsigned d = pick(parallels, random);
    int64_t left = remaining(d, s.tileSize(d, level + 1));
    if (s.tiles[d][level] * factor > left) {
      ++misses;
      continue;
    }
    s.tiles[d][level] *= factor;
    total /= factor;
  }
}

void SketchSpace::guideSimt(Schedule &s, Random &random) const {
  const auto &dims = taskDesc.anchorStatement().dims;
  s.vector = pick(vectors, random);
  const int64_t threads[] = {32, 64, 128, 128, 256, 256, 256, 512, 1024};
  if (sketch == Variant::SimtRow)
    return guideThreadRows(s, random);
  if (sketch == Variant::SimtMap) {
    const int64_t elements[] = {1, 1, 2, 4, 4, 8, 16};
    // Neighbouring elements belong to neighbouring threads first of all.
    spreadFactors(s, tile::Elements, pick(elements, random), random);
    spreadFactors(s, tile::Middle, pick(threads, random), random);
    return;
  }
  const int64_t elements[] = {1, 2, 4, 4, 8, 8, 16}, copies[] = {1, 1, 2, 4, 8},
                virtuals[] = {1, 1, 1, 2, 4};
  spreadFactors(s, tile::Element, pick(elements, random), random);
  spreadFactors(s, tile::Copies, pick(copies, random), random);
  spreadFactors(s, tile::Thread, pick(threads, random), random);
  spreadFactors(s, tile::VThread, pick(virtuals, random), random);
  // Slices of 4 to 64 reduction steps in all.
  const int64_t slices[] = {4, 8, 8, 16, 16, 32, 64};
  int64_t slice = pick(slices, random);
  for (unsigned d = dims.size(); d-- > 0;) {
    if (!dims[d].reduction)
      continue;
    std::vector<int64_t> steps = choices(d, 1, dims[d].extent, 1);
    s.tiles[d][1] = std::min(pick(steps, random), slice);
    slice = std::max<int64_t>(1, slice / s.tiles[d][1]);
    s.tiles[d][0] = std::min(slice, remaining(d, s.tiles[d][1]));
    slice = std::max<int64_t>(1, slice / s.tiles[d][0]);
  }
}

/// Threads along the reduction first, as many as it keeps busy, the rest of a
/// block on rows; few elements at a time.
void SketchSpace::guideThreadRows(Schedule &s, Random &random) const {
  const auto &dims = taskDesc.anchorStatement().dims;
  const int64_t threads[] = {32, 64, 128, 128, 256, 256, 512, 1024},
                widths[] = {1, 1, 2, 4, 4, 8}, rows[] = {1, 1, 1, 2, 4};
  int64_t total = pick(threads, random), width = pick(widths, random),
          along = 1;
  for (unsigned d = dims.size(); d-- > 0;) {
    if (!dims[d].reduction)
      continue;
    while (width > dims[d].extent)
      width /= 2;
    s.tiles[d][tile::Elements] = width;
    width = 1;
    std::vector<int64_t> shared =
        choices(d, tile::Middle, remaining(d, s.tiles[d][tile::Elements]), 0);
    unsigned most = 0;
    while (most + 1 < shared.size() && along * shared[most + 1] <= total)
      ++most;
    s.tiles[d][tile::Middle] =
        shared[chance(random, 60) ? most : random.uniform(most + 1)];
    along *= s.tiles[d][tile::Middle];
  }
  spreadFactors(s, tile::Elements, pick(rows, random), random);
  spreadFactors(s, tile::Middle, std::max<int64_t>(1, total / along), random);
}

void SketchSpace::drawRest(Schedule &s, Random &random) const {
  for (unsigned i = 0; i < s.stages.size(); ++i) {
    const auto &levels = stages[i];
    bool computed = levels.front() != StageLevel::None;
    unsigned draw = random.uniform(100);
    if (levels.size() == 1)
      continue;
    // Packing that costs nothing is seldom wrong.
    if (levels.back() == StageLevel::Ahead && random.uniform(100) < 70) {
      s.stages[i] = StageLevel::Ahead;
      continue;
    }
    if (isGpu(sketch))
      s.stages[i] = draw < 90                ? StageLevel::Inner
                    : draw < 97 && !computed ? StageLevel::None
                                             : StageLevel::Outer;
    else
      s.stages[i] = draw < 50                ? StageLevel::Inner
                    : draw < 85 && !computed ? StageLevel::None
                                             : StageLevel::Outer;
  }
  s.unroll = pick(unrolls, random);
  s.pad = pick(pads, random);
  s.order = pick(orders, random);
  if (prefetches.size() > 1)
    s.prefetch = pick(prefetches, random);
}

/// Mostly where there are fewer tiles than units, and then up to as many parts
/// as give each unit a few.
void SketchSpace::drawSplit(Schedule &s, Random &random) const {
  double blocks = 1;
  const auto &dims = taskDesc.anchorStatement().dims;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!dims[d].reduction)
      blocks *= double(remaining(d, s.tileSize(d)));
  double wanted = 4 * double(device.units) / blocks;
  if (!chance(random, wanted > 4 ? 60 : 10))
    return;
  s.split = pick(splits, random);
  for (int64_t &parts : s.split)
    while (parts > 2 && double(parts) > wanted)
      parts /= 2;
  repairSplit(s);
}

Schedule SketchSpace::drawGuided(Random &random) const {
  Schedule s = blank();
  if (isGpu(sketch))
    guideSimt(s, random);
  else
    guideCpu(s, random);
  drawRest(s, random);
  if (splits.size() > 1)
    drawSplit(s, random);
  return s;
}

std::optional<Schedule> SketchSpace::sample(Random &random,
                                            RejectionStats *stats) const {
  for (unsigned attempt = 0; attempt < options.attempts; ++attempt) {
    // The share holds among accepted schedules only as far as both kinds of
    // draw are accepted alike; retries alternate so that neither starves.
    bool guided = random.uniformReal() < options.guidedShare;
    Schedule s = guided ? drawGuided(random) : drawUniform(random);
    std::optional<Violation> violation = checkSchedule(taskDesc, s, device);
    if (!violation) {
      if (stats)
        ++stats->accepted;
      return s;
    }
    if (stats)
      ++stats->rejected[violation->rule];
  }
  Schedule s = blank();
  if (checkSchedule(taskDesc, s, device))
    return std::nullopt;
  if (stats)
    ++stats->accepted;
  return s;
}

double SketchSpace::size() const {
  double rest = double(unrolls.size() * pads.size() * orders.size() *
                       splits.size() * prefetches.size());
  for (const auto &levels : stages)
    rest *= double(levels.size());
  double total = 0;
  Schedule s;
  for (int64_t dim : vectorDims)
    for (int64_t lanes : vectors) {
      s.vectorDim = dim;
      s.vector = lanes;
      double product = rest;
      for (unsigned d = 0; d < chains.size(); ++d)
        product *= double(chainsOf(d, s).size());
      total += product;
    }
  return total;
}

std::optional<Schedule> SketchSpace::at(uint64_t index) const {
  auto digit = [&](const auto &values) -> auto & {
    const auto &value = values[index % values.size()];
    index /= values.size();
    return value;
  };
  Schedule s = blank();
  s.unroll = digit(unrolls);
  s.pad = digit(pads);
  s.order = digit(orders);
  s.split = digit(splits);
  s.prefetch = digit(prefetches);
  for (unsigned i = 0; i < s.stages.size(); ++i)
    s.stages[i] = digit(stages[i]);
  bool found = false;
  for (unsigned n = 0; n < vectorDims.size() * vectors.size() && !found; ++n) {
    s.vectorDim = vectorDims[n / vectors.size()];
    s.vector = vectors[n % vectors.size()];
    uint64_t points = 1;
    for (unsigned d = 0; d < chains.size(); ++d)
      points *= chainsOf(d, s).size();
    found = index < points;
    if (!found)
      index -= points;
  }
  if (!found)
    return std::nullopt;
  for (unsigned d = 0; d < s.tiles.size(); ++d)
    s.tiles[d] = digit(chainsOf(d, s));
  if (index != 0 || checkSchedule(taskDesc, s, device))
    return std::nullopt;
  return s;
}
