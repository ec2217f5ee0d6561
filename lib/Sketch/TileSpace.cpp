//===- TileSpace.cpp - the tile factors of one sketch ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Sketch/TileSpace.h"
#include "GuidedDraw.h"
#include "Registry.h"
#include "pruner/Support/Sizes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;

/// Maximum number of listed factorizations of one dimension. Beyond it, the
/// choices of each level are reduced to powers of two.
static constexpr size_t kMaxChains = 200000;

static std::vector<int64_t> numbers(const Knob &knob,
                                    const KnobContext &context) {
  std::vector<int64_t> result;
  for (const Knob::Value &value : knob.values(context, 0))
    result.push_back(value.front());
  return result;
}

TileSpace::TileSpace(TaskDesc task, Machine machine, const Sketch &sketch)
    : taskDesc(std::move(task)), device(std::move(machine)), tiling(sketch),
      last(defaultVectorDimension(taskDesc)),
      lengths(numbers(vectorKnob(), context())),
      directions(numbers(vectorDimKnob(), context())),
      matrixInstructions(numbers(instructionKnob(), context())) {
  chains.resize(dims().size());
  coarse.assign(dims().size(), false);
  listUnits();
  for (unsigned d = 0; d < dims().size(); ++d) {
    chains[d].resize(1 + units[d].size());
    for (unsigned u = 0; u < chains[d].size(); ++u)
      listChains(d, u == 0 ? 0 : units[d][u - 1], chains[d][u]);
  }
}

void TileSpace::listUnits() {
  units.resize(dims().size());
  Schedule untiled;
  untiled.sketch = tiling.id;
  for (unsigned d = 0; d < dims().size() && !tiling.gpu; ++d)
    if (llvm::is_contained(directions, d) ||
        runsAlongVectors(taskDesc, untiled, d))
      units[d] = lengths;
  for (int64_t instruction : matrixInstructions)
    for (int64_t direction : directions) {
      Schedule schedule;
      schedule.sketch = tiling.id;
      schedule.instruction = instruction;
      schedule.vectorDim = direction;
      auto use = instructionUse(taskDesc, schedule);
      auto second = instructionUseOfSecond(taskDesc, schedule);
      for (unsigned d = 0; use && d < dims().size(); ++d)
        for (int64_t length : lengths) {
          schedule.vector = length;
          int64_t unit = innermostUnit(taskDesc, schedule, use, second, d);
          if (unit && !llvm::is_contained(units[d], unit))
            units[d].push_back(unit);
        }
    }
  for (std::vector<int64_t> &each : units)
    llvm::sort(each);
}

std::optional<unsigned> TileSpace::vectorDimOf(const Schedule &schedule) const {
  if (tiling.gpu)
    return std::nullopt;
  return schedule.vectorDim >= 0 ? unsigned(schedule.vectorDim) : last;
}

const std::vector<TileSpace::Factors> &
TileSpace::chainsOf(unsigned dim, const Schedule &schedule) const {
  int64_t unit = unitAlong(schedule, dim);
  if (unit == 0)
    return chains[dim][0];
  return chains[dim][1 + (llvm::find(units[dim], unit) - units[dim].begin())];
}

int64_t TileSpace::unitAlong(const Schedule &schedule, unsigned dim) const {
  // Most schedules have no instruction, and few tasks two products.
  bool along = !tiling.gpu && runsAlongVectors(taskDesc, schedule, dim);
  if (schedule.instruction == 0 || (along && !taskDesc.joinsProducts()))
    return along ? schedule.vector : 0;
  return innermostUnit(taskDesc, schedule, dim);
}

int64_t TileSpace::remaining(unsigned dim, int64_t inside) const {
  return ceilDiv(dims()[dim].extent, inside);
}

LevelKind TileSpace::levelKind(unsigned dim, unsigned level,
                               int64_t unit) const {
  const TileLevel &tile = tiling.levels(taskDesc.kindOf(dim))[level];
  LevelKind kind = unit ? tile.alongVectors : tile.kind;
  return kind == LevelKind::Loop && coarse[dim] ? LevelKind::Coarse : kind;
}

/// Divisors are searched up to this limit, which finds all divisors of numbers
/// up to 2^40.
static constexpr int64_t kMostTried = 1 << 20;

/// Adds the divisors of `number` up to `limit` that are below 2^20, and their
/// cofactors.
static void addDivisors(std::vector<int64_t> &out, int64_t number,
                        int64_t limit) {
  for (int64_t d = 1; d <= kMostTried && d * d <= number; ++d) {
    if (number % d != 0)
      continue;
    for (int64_t value : {d, number / d})
      if (value <= limit)
        out.push_back(value);
  }
}

static void addPowers(std::vector<int64_t> &out, int64_t limit) {
  for (int64_t value = 1; value <= limit; value *= 2) {
    out.push_back(value);
    if (value > limit / 2)
      return; // Doubling could overflow.
  }
}

std::vector<int64_t> TileSpace::makeChoices(LevelKind kind, int64_t left,
                                            int64_t unit) const {
  std::vector<int64_t> out;
  switch (kind) {
  case LevelKind::Loop:
    addDivisors(out, left, left);
    addPowers(out, left);
    // Equal parts, which divide a prime or odd extent best.
    for (int64_t parts : {2, 3, 4, 6, 8})
      out.push_back(ceilDiv(left, parts));
    break;
  case LevelKind::Coarse:
    addPowers(out, left);
    out.push_back(left);
    break;
  case LevelKind::Rows:
    for (int64_t rows = 1;
         rows <= std::min(left, std::max<int64_t>(8, device.vectorRegisters));
         ++rows)
      out.push_back(rows);
    break;
  case LevelKind::Vectors:
    for (int64_t columns : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16})
      if (columns <= std::max<int64_t>(1, ceilDiv(left, unit)))
        out.push_back(columns * unit);
    break;
  case LevelKind::Lanes: {
    int64_t most = ceilDiv(left, unit);
    addDivisors(out, most, most);
    addPowers(out, most);
    for (int64_t parts : {2, 3, 4})
      out.push_back(ceilDiv(most, parts));
    for (int64_t &value : out)
      value *= unit;
    break;
  }
  case LevelKind::Threads:
    addPowers(out, std::min(left, device.maxThreadsPerBlock));
    addDivisors(out, left, device.maxThreadsPerBlock);
    if (left <= device.maxThreadsPerBlock)
      out.push_back(left);
    break;
  case LevelKind::Shared:
    addPowers(out, std::min(left, device.maxThreadsPerBlock));
    break;
  case LevelKind::Access:
    addPowers(out, std::min<int64_t>(left, 8));
    break;
  case LevelKind::Copies:
    for (int64_t copies : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16})
      if (copies <= left)
        out.push_back(copies);
    break;
  case LevelKind::VThreads:
    // One, even numbers, and divisors of the extent.
    for (int64_t copies = 1, most = std::min(left, device.maxVirtualThreads);
         copies <= most; ++copies)
      if (copies == 1 || copies % 2 == 0 || left % copies == 0)
        out.push_back(copies);
    break;
  case LevelKind::Step:
    addPowers(out, std::min<int64_t>(left, 16));
    addDivisors(out, left, 16);
    break;
  }
  llvm::sort(out);
  out.erase(llvm::unique(out), out.end());
  return out;
}

static uint64_t memoKey(LevelKind kind, int64_t left, int64_t unit) {
  return uint64_t(left) | uint64_t(kind) << 56 | uint64_t(unit) << 44;
}

std::vector<int64_t> TileSpace::choices(unsigned dim, unsigned level,
                                        int64_t left, int64_t unit) const {
  LevelKind kind = levelKind(dim, level, unit);
  auto found = memo.find(memoKey(kind, left, unit));
  return found != memo.end() ? found->second : makeChoices(kind, left, unit);
}

int64_t TileSpace::draw(const Schedule &s, unsigned dim, unsigned level,
                        Random &random) const {
  int64_t left = remaining(dim, s.tileSize(dim, level + 1));
  int64_t unit = unitAlong(s, dim);
  LevelKind kind = levelKind(dim, level, unit);
  auto found = memo.find(memoKey(kind, left, unit));
  return found != memo.end() ? pick(found->second, random)
                             : pick(makeChoices(kind, left, unit), random);
}

void TileSpace::extendChain(unsigned dim, int64_t unit, unsigned level,
                            int64_t inside, Factors &factors,
                            std::vector<Factors> &out) {
  if (out.size() > kMaxChains)
    return;
  int64_t left = remaining(dim, inside);
  LevelKind kind = levelKind(dim, level, unit);
  uint64_t key = memoKey(kind, left, unit);
  if (left < (int64_t(1) << 44) && !memo.count(key))
    memo[key] = makeChoices(kind, left, unit);
  std::vector<int64_t> values = choices(dim, level, left, unit);
  for (int64_t value : values) {
    factors[level] = value;
    if (level == 0)
      out.push_back(factors);
    else
      extendChain(dim, unit, level - 1, inside * value, factors, out);
  }
}

void TileSpace::listChains(unsigned dim, int64_t unit,
                           std::vector<Factors> &out) {
  unsigned levels = tiling.levels(taskDesc.kindOf(dim)).size();
  Factors factors(levels, 1);
  if (levels == 0) {
    out.push_back(factors);
    return;
  }
  extendChain(dim, unit, levels - 1, 1, factors, out);
  if (out.size() <= kMaxChains || coarse[dim])
    return;
  out.clear();
  coarse[dim] = true;
  extendChain(dim, unit, levels - 1, 1, factors, out);
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

void TileSpace::fit(Schedule &s) const {
  for (unsigned d = 0; d < s.tiles.size(); ++d) {
    int64_t unit = s.tiles[d].empty() ? 0 : unitAlong(s, d);
    if (unit)
      s.tiles[d].back() = ceilDiv(s.tiles[d].back(), unit) * unit;
    int64_t inside = 1;
    for (unsigned l = s.tiles[d].size(); l-- > 0;) {
      if (s.tiles[d][l] == 1)
        continue;
      int64_t limit = remaining(d, inside);
      if (unit && l + 1 == s.tiles[d].size())
        limit = ceilDiv(limit, unit) * unit;
      s.tiles[d][l] = std::min(s.tiles[d][l], limit);
      inside *= s.tiles[d][l];
    }
  }
  tiling.adjust(taskDesc, s);
}

/// A divisor of `number` other than 1.
static int64_t drawDivisor(int64_t number, Random &random) {
  llvm::SmallVector<int64_t, 16> divisors;
  for (int64_t d = 1; d <= kMostTried && d * d <= number; ++d) {
    if (number % d != 0)
      continue;
    if (d > 1)
      divisors.push_back(d);
    if (number / d != d)
      divisors.push_back(number / d);
  }
  return divisors[random.uniform(divisors.size())];
}

bool TileSpace::mutate(Schedule &s, Random &random) const {
  llvm::SmallVector<unsigned, 8> tiled;
  for (unsigned d = 0; d < dims().size(); ++d)
    if (dims()[d].extent > 1 && !s.tiles[d].empty())
      tiled.push_back(d);
  if (tiled.empty())
    return false;
  unsigned d = pick(tiled, random);
  auto &tiles = s.tiles[d];
  auto unit = [&](unsigned level) {
    int64_t along = unitAlong(s, d);
    return along && level + 1 == tiles.size() ? along : int64_t(1);
  };
  unsigned level = random.uniform(tiles.size());
  switch (random.uniform(4)) {
  case 0:
  case 1: {
    // Level tiles.size() is the outermost one, which gets the rest.
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
    // The trips that are left outside need not be divisible.
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
    tiles[level] = draw(s, d, level, random);
    break;
  }
  }
  return true;
}
