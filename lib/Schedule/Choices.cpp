//===- Choices.cpp - the values of every knob -----------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Analysis/Resources.h"
#include "pruner/Program/TiledProgram.h"
#include "pruner/Schedule/SketchSpace.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>

using namespace pruner;

static int64_t ceilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

/// Factorisations of one dimension that are listed before the choices of each
/// level are thinned out to powers of two.
static constexpr size_t kMaxChains = 200000;

/// Output elements for each thread that the machine holds, above which no
/// reduction is split; the fewest elements of a part, and the most parts.
static constexpr int64_t kSplitOutputsPerThread = 8;
static constexpr int64_t kLeastPart = 8;
static constexpr int64_t kMostParts = 256;

/// Levels that draw from the same values.
enum class SketchSpace::LevelKind : uint8_t {
  Loop,     ///< Any: divisors, powers of two, even parts, the whole.
  Coarse,   ///< The same without divisors, for extents with very many.
  Rows,     ///< Register tile of a CPU, not along vectors.
  Vectors,  ///< Register tile of a CPU along vectors: whole vectors.
  Lanes,    ///< Inner reduction of a CPU along vectors: whole vectors.
  Threads,  ///< Threads of a block.
  Copies,   ///< Elements of a GPU thread.
  VThreads, ///< Virtual threads.
  Step,     ///< The innermost reduction of a GPU thread.
  Shared,   ///< Threads that share a reduction.
  Access,   ///< Neighbouring elements of such a thread: one memory access.
};

static bool hasReduction(Variant variant) {
  return variant == Variant::CpuTile || variant == Variant::SimtTile;
}

SketchSpace::SketchSpace(TaskDesc task, Machine machine, Variant sketch,
                         SpaceOptions options)
    : taskDesc(std::move(task)), device(std::move(machine)), options(options),
      sketch(sketch) {
  lastDim = defaultVectorDimension(taskDesc);
  listVectors();
  listVectorDims();
  listStages();
  listOrders();
  listSplits();
  const auto &dims = taskDesc.anchorStatement().dims;
  chains.resize(dims.size());
  coarse.assign(dims.size(), false);
  for (unsigned d = 0; d < dims.size(); ++d) {
    bool vectorised =
        !isGpu(sketch) && (lastDim == d || llvm::is_contained(vectorDims, d));
    chains[d].resize(1 + (vectorised ? vectors.size() : 0));
    for (unsigned v = 0; v < chains[d].size(); ++v)
      listChains(d, v == 0 ? 0 : vectors[v - 1], chains[d][v]);
  }
}

std::optional<unsigned>
SketchSpace::vectorDimOf(const Schedule &schedule) const {
  if (isGpu(sketch))
    return std::nullopt;
  return schedule.vectorDim >= 0 ? unsigned(schedule.vectorDim) : lastDim;
}

const std::vector<SketchSpace::Factors> &
SketchSpace::chainsOf(unsigned dim, const Schedule &schedule) const {
  int64_t lanes = lanesAlong(schedule, dim);
  if (lanes == 0)
    return chains[dim][0];
  return chains[dim][1 + (llvm::find(vectors, lanes) - vectors.begin())];
}

int64_t SketchSpace::remaining(unsigned dim, int64_t inside) const {
  return ceilDiv(taskDesc.anchorStatement().dims[dim].extent, inside);
}

void SketchSpace::listVectors() {
  const StatementDesc &anchor = taskDesc.anchorStatement();
  vectors = {1};
  int64_t longest = 1;
  if (sketch == Variant::SimtTile) {
    longest = 8;
    for (const OperandDesc &input : anchor.inputs)
      longest = std::min(longest,
                         16 / byteWidth(taskDesc.tensors[input.tensor].type));
  } else if (!isGpu(sketch)) {
    // No longer than the first power of two that holds a whole extent.
    ElementType type = taskDesc.tensors[anchor.output.tensor].type;
    longest = device.vectorElements(byteWidth(type));
    int64_t most = 1;
    for (const IterDim &dim : anchor.dims)
      most = std::max(most, dim.extent);
    while (longest > 1 && longest / 2 >= most)
      longest /= 2;
  }
  for (int64_t v = 2; v <= longest; v *= 2)
    vectors.push_back(v);

  if (sketch == Variant::CpuTile || sketch == Variant::CpuRow)
    unrolls = {1, 2, 4, 8};
  else if (sketch == Variant::SimtTile ||
           (sketch == Variant::SimtRow && !taskDesc.rows))
    unrolls = {0, 16, 64, 512, 1024};
  else
    unrolls = {isGpu(sketch) ? 0 : 1};
  prefetches = {0};
  if (sketch == Variant::CpuRow)
    prefetches = {0, 1};
  pads = {0};
  if (sketch == Variant::SimtTile)
    pads = {0, 1, 2, 4, 8};
}

/// Along the output's last coordinate all that is written is contiguous.
/// Others are worth a try where its extent fills vectors badly or inputs are
/// read by a window (the channels of a convolution), and a reduction along
/// which an input is contiguous in memory.
void SketchSpace::listVectorDims() {
  vectorDims = {-1};
  if (isGpu(sketch) || sketch == Variant::CpuRow)
    return;
  const StatementDesc &anchor = taskDesc.anchorStatement();
  int64_t longest = vectors.back();
  int64_t last = lastDim ? anchor.dims[*lastDim].extent : 1;
  bool windows = false;
  for (const OperandDesc &input : anchor.inputs)
    for (const LinearExpr &expr : input.map) {
      unsigned used = 0;
      for (unsigned d = 0; d < expr.coeffs.size(); ++d)
        used += expr.uses(d);
      windows |= used > 1;
    }
  bool fillsBadly = last < 4 * longest && last % longest != 0;
  for (unsigned d = 0; d < anchor.dims.size(); ++d) {
    if (d == lastDim || anchor.dims[d].extent < 2)
      continue;
    bool contiguous = false;
    for (const OperandDesc &input : anchor.inputs)
      contiguous |= !input.map.empty() && input.map.back().uses(d) &&
                    std::abs(input.map.back().coeffs[d]) == 1;
    if (anchor.dims[d].reduction
            ? anchor.associative && contiguous
            : anchor.dims[d].extent >= longest && (windows || fillsBadly))
      vectorDims.push_back(d);
  }
}

void SketchSpace::listStages() {
  unsigned inputs = taskDesc.anchorStatement().inputs.size();
  stages.assign(inputs, {StageLevel::None});
  if (!hasReduction(sketch))
    return;
  for (unsigned i = 0; i < inputs; ++i) {
    stages[i] = {StageLevel::Inner, StageLevel::Outer};
    bool computed = i < taskDesc.prologues.size() && taskDesc.prologues[i] >= 0;
    if (!computed && !taskDesc.anchorStatement().inputs[i].padded)
      stages[i].insert(stages[i].begin(), StageLevel::None);
    if (sketch == Variant::CpuTile && taskDesc.canPackAhead(i))
      stages[i].push_back(StageLevel::Ahead);
  }
}

/// All orders of up to four loops; of more, those that move one loop inward.
void SketchSpace::listOrders() {
  orders.push_back({});
  if (sketch != Variant::CpuTile)
    return;
  const auto &dims = taskDesc.anchorStatement().dims;
  llvm::SmallVector<int64_t, 4> natural, order;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!dims[d].reduction)
      natural.push_back(d);
  order = natural;
  if (natural.size() <= 4) {
    while (std::next_permutation(order.begin(), order.end()))
      orders.push_back(order);
    return;
  }
  for (unsigned moved = 0; moved + 1 < natural.size(); ++moved) {
    order = natural;
    std::rotate(order.begin() + moved, order.begin() + moved + 1, order.end());
    orders.push_back(order);
  }
}

/// Parts of one reduction dimension at a time, where the output is too small to
/// give every thread of the machine work for long, and of no less than
/// kLeastPart elements.
void SketchSpace::listSplits() {
  splits.push_back({});
  const StatementDesc &anchor = taskDesc.anchorStatement();
  if ((sketch != Variant::SimtTile && sketch != Variant::SimtRow) ||
      taskDesc.rows || !anchor.associative)
    return;
  int64_t most =
      kSplitOutputsPerThread * device.units *
      std::max<int64_t>(1, device.maxThreadsPerUnit) /
      std::max<int64_t>(1, taskDesc.tensors[anchor.output.tensor].elements());
  unsigned reductions = 0, next = 0;
  for (const IterDim &dim : anchor.dims)
    reductions += dim.reduction;
  for (const IterDim &dim : anchor.dims) {
    if (!dim.reduction)
      continue;
    unsigned number = next++;
    for (int64_t parts = 2;
         parts <= std::min({most, dim.extent / kLeastPart, kMostParts});
         parts *= 2)
      splits.emplace_back(reductions, 1)[number] = parts;
  }
}

//===----------------------------------------------------------------------===//
// Tile factors
//===----------------------------------------------------------------------===//

SketchSpace::LevelKind SketchSpace::levelKind(unsigned dim, unsigned level,
                                              int64_t vector) const {
  bool reduction = taskDesc.anchorStatement().dims[dim].reduction;
  LevelKind loop = coarse[dim] ? LevelKind::Coarse : LevelKind::Loop;
  switch (sketch) {
  case Variant::CpuTile:
    if (reduction)
      return vector ? LevelKind::Lanes : loop;
    if (level != tile::Register)
      return loop;
    return vector ? LevelKind::Vectors : LevelKind::Rows;
  case Variant::CpuMap:
    if (level != tile::Elements)
      return loop;
    return vector ? LevelKind::Vectors : LevelKind::Rows;
  case Variant::CpuRow:
    if (reduction)
      return vector ? LevelKind::Vectors : LevelKind::Rows;
    return level == tile::Elements ? LevelKind::Rows : loop;
  case Variant::SimtTile:
    if (reduction)
      return level == 0 ? loop : LevelKind::Step;
    if (level == tile::VThread)
      return LevelKind::VThreads;
    return level == tile::Thread ? LevelKind::Threads : LevelKind::Copies;
  case Variant::SimtMap:
    return level == tile::Middle ? LevelKind::Threads : LevelKind::Copies;
  case Variant::SimtRow:
    if (reduction)
      return level == tile::Elements ? LevelKind::Access : LevelKind::Shared;
    return level == tile::Elements ? LevelKind::Copies : LevelKind::Threads;
  }
  return LevelKind::Loop;
}

/// Those of the divisors of `number` up to `limit` that are below 2^20, and
/// what they leave: all of them up to 2^40.
static void addDivisors(std::vector<int64_t> &out, int64_t number,
                        int64_t limit) {
  constexpr int64_t kMostTried = 1 << 20;
  for (int64_t d = 1; d <= kMostTried && d * d <= number; ++d) {
    if (number % d != 0)
      continue;
    for (int64_t value : {d, number / d})
      if (value <= limit)
        out.push_back(value);
  }
}

static void addPowers(std::vector<int64_t> &out, int64_t limit) {
  for (int64_t value = 1; value <= limit; value *= 2)
    out.push_back(value);
}

std::vector<int64_t> SketchSpace::makeChoices(LevelKind kind, int64_t left,
                                              int64_t vector) const {
  std::vector<int64_t> out;
  switch (kind) {
  case LevelKind::Loop:
    addDivisors(out, left, left);
    addPowers(out, left);
    // Even parts: what divides a prime or odd extent best.
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
      if (columns <= std::max<int64_t>(1, ceilDiv(left, vector)))
        out.push_back(columns * vector);
    break;
  case LevelKind::Lanes: {
    int64_t most = ceilDiv(left, vector);
    addDivisors(out, most, most);
    addPowers(out, most);
    for (int64_t parts : {2, 3, 4})
      out.push_back(ceilDiv(most, parts));
    for (int64_t &value : out)
      value *= vector;
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
    for (int64_t copies = 1; copies <= device.maxVirtualThreads; ++copies)
      if (copies <= left &&
          (copies == 1 || copies % 2 == 0 || left % copies == 0))
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

std::vector<int64_t> SketchSpace::choices(unsigned dim, unsigned level,
                                          int64_t left, int64_t vector) const {
  LevelKind kind = levelKind(dim, level, vector);
  uint64_t key = uint64_t(left) | uint64_t(kind) << 56 | uint64_t(vector) << 44;
  auto found = memo.find(key);
  return found != memo.end() ? found->second : makeChoices(kind, left, vector);
}

void SketchSpace::extendChain(unsigned dim, int64_t vector, unsigned level,
                              int64_t inside, Factors &factors,
                              std::vector<Factors> &out) {
  if (out.size() > kMaxChains)
    return;
  int64_t left = remaining(dim, inside);
  LevelKind kind = levelKind(dim, level, vector);
  uint64_t key = uint64_t(left) | uint64_t(kind) << 56 | uint64_t(vector) << 44;
  if (left < (int64_t(1) << 44) && !memo.count(key))
    memo[key] = makeChoices(kind, left, vector);
  std::vector<int64_t> values = choices(dim, level, left, vector);
  for (int64_t value : values) {
    factors[level] = value;
    if (level == 0)
      out.push_back(factors);
    else
      extendChain(dim, vector, level - 1, inside * value, factors, out);
  }
}

void SketchSpace::listChains(unsigned dim, int64_t vector,
                             std::vector<Factors> &out) {
  unsigned levels =
      innerTileLevels(sketch, taskDesc.anchorStatement().dims[dim].reduction);
  Factors factors(levels, 1);
  if (levels == 0) {
    out.push_back(factors);
    return;
  }
  extendChain(dim, vector, levels - 1, 1, factors, out);
  if (out.size() <= kMaxChains || coarse[dim])
    return;
  out.clear();
  coarse[dim] = true;
  extendChain(dim, vector, levels - 1, 1, factors, out);
}
