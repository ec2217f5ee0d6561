//===- WarpTiles.cpp - tiles of warps in simt_tile ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpTiles.h"
#include "GuidedDraw.h"

#include "pruner/Support/Sizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::simt_tile;

// Tiles of warps of 16 x 16 to 128 x 128 elements. Published kernels have tiles
// of 32 x 32 to 64 x 128, and steps of 32 or 64 terms of f16 (CUTLASS).
static constexpr int64_t kWarps[] = {1, 2, 2, 4}, kRows[] = {1, 2, 4, 4, 8},
                         kColumns[] = {2, 4, 8, 8, 16}, kSteps[] = {1, 2, 2, 4},
                         kOthers[] = {1, 1, 1, 2, 4}, kOne[] = {1};
static constexpr int64_t kFew[] = {1, 1, 2, 2, 4}, kFewOthers[] = {1, 1, 1, 2};

const WarpTileChoices pruner::kSearchedWarpTiles = {kWarps,
                                                    kRows,
                                                    kColumns,
                                                    kSteps,
                                                    kOne,
                                                    kOne,
                                                    kOthers,
                                                    /*wholeWindows=*/true};
const WarpTileChoices pruner::kSmallWarpTiles = {
    kFew, kFew, kFew, kFew, kFew, kFew, kFewOthers, /*wholeWindows=*/true};

int64_t pruner::lanesAlong(const InstructionUse &use, const TaskDesc &task,
                           unsigned dim) {
  return dim == use.rowDim                      ? WarpInstruction::kRowLanes
         : dim == *defaultVectorDimension(task) ? WarpInstruction::kColumnLanes
                                                : 1;
}

int64_t pruner::padUnit(const Schedule &s) {
  const WarpInstruction *instruction =
      s.instruction
          ? WarpInstruction::of(allMatrixInstructions()[s.instruction - 1])
          : nullptr;
  return instruction ? instruction->chunkSums() : 1;
}

namespace {
/// The parts of a dimension that has lanes.
struct LaneDim {
  LaneDim(const InstructionUse &use, const TaskDesc &task, unsigned dim)
      : lanes(lanesAlong(use, task, dim)) {
    const WarpInstruction &instruction = *WarpInstruction::of(use.instruction);
    bool alongRows = dim == use.rowDim;
    element = alongRows ? 1 : WarpInstruction::kLaneColumns;
    unit = alongRows ? instruction.rowParts() : 1;
    // The smallest tile is a whole product, which may reach beyond the result.
    int64_t product = lanes * element * unit;
    extent =
        ceilDiv(task.anchorStatement().dims[dim].extent, product) * product;
  }

  int64_t lanes, extent;
  /// Neighbors of a lane, and copies of a product.
  int64_t element, unit;
};
} // namespace

bool pruner::drawWarpTiles(const TaskDesc &task, Schedule &s,
                           const WarpTileChoices &choices, Random &random) {
  std::optional<InstructionUse> use = instructionUse(task, s);
  if (!use)
    return false;
  const auto &dims = task.anchorStatement().dims;
  bool fits = true;
  for (auto &tiles : s.tiles)
    llvm::fill(tiles, 1);
  for (unsigned d = 0; d < dims.size() && fits; ++d) {
    auto &tiles = s.tiles[d];
    // The largest of the drawn multiples of `unit` that fits.
    auto choose = [&](unsigned level, int64_t unit, int64_t multiple) {
      int64_t extent = lanesAlong(*use, task, d) == 1
                           ? dims[d].extent
                           : LaneDim(*use, task, d).extent;
      int64_t limit = ceilDiv(extent, s.tileSize(d, level + 1));
      while (multiple > 1 && unit * multiple > limit)
        multiple /= 2;
      tiles[level] = unit * multiple;
      return tiles[level] <= limit;
    };
    if (d == use->sumDim) {
      int64_t whole = ceilDiv(dims[d].extent, use->sums);
      tiles[Step] = use->sums * std::min(pick(choices.steps, random), whole);
      choose(Slice, 1, pick(choices.slices, random));
      continue;
    }
    if (dims[d].reduction) {
      constexpr int64_t kMostWindow = 8;
      if (choices.wholeWindows && dims[d].extent <= kMostWindow &&
          chance(random, 30))
        tiles[Slice] = dims[d].extent;
      continue;
    }
    if (lanesAlong(*use, task, d) == 1) {
      choose(Thread, 1, pick(choices.others, random));
      continue;
    }
    LaneDim dim(*use, task, d);
    tiles[Element] = dim.element;
    // The least number of threads must fit around the copies.
    int64_t limit = dim.extent / dim.lanes;
    int64_t many =
        pick(d == use->rowDim ? choices.rows : choices.columns, random);
    while (many > 1 && dim.unit * many * dim.element > limit)
      many /= 2;
    tiles[Copies] = dim.unit * many;
    fits = choose(Thread, dim.lanes, pick(choices.warps, random)) &&
           ceilDiv(dim.extent, dim.element) >= tiles[Copies];
    choose(VThread, 1, pick(choices.vthreads, random));
  }
  for (unsigned d = 0; d < dims.size() && !fits; ++d)
    llvm::fill(s.tiles[d], 1);
  return fits;
}

/// `value` in units, at most `most`. If tiles of `inside` such values do not
/// divide the extent, a power of two of units: kernels of other projects have
/// the same tiles, and the space has fewer tiles that differ little.
static int64_t roundFactor(int64_t value, int64_t unit, int64_t most,
                           int64_t extent, int64_t inside) {
  int64_t units = std::clamp<int64_t>(ceilDiv(value, unit), 1,
                                      std::max<int64_t>(1, most / unit));
  if (extent % mulSizes(units * unit, inside) != 0)
    units = int64_t(llvm::bit_floor(uint64_t(units)));
  return units * unit;
}

void pruner::adjustWarpTiles(const TaskDesc &task, Schedule &s) {
  std::optional<InstructionUse> use = instructionUse(task, s);
  if (!use || !WarpInstruction::of(use->instruction))
    return;
  for (unsigned d = 0; d < s.tiles.size(); ++d) {
    auto &tiles = s.tiles[d];
    const IterDim &iter = task.anchorStatement().dims[d];
    if (d == use->sumDim) {
      // Steps of a slice and of the tile are the same loops.
      int64_t extent = int64_t(llvm::alignTo(iter.extent, use->sums));
      tiles[Step] = roundFactor(mulSizes(tiles[Step], tiles[Slice]), use->sums,
                                extent, extent, 1);
      tiles[Slice] = 1;
      continue;
    }
    if (iter.reduction || lanesAlong(*use, task, d) == 1)
      continue;
    LaneDim dim(*use, task, d);
    // Virtual threads are products of the same warp that are farther apart.
    tiles[Element] = dim.element;
    tiles[Copies] =
        roundFactor(mulSizes(tiles[Copies], tiles[VThread]), dim.unit,
                    dim.extent / (dim.lanes * dim.element), iter.extent,
                    dim.lanes * dim.element);
    tiles[VThread] = 1;
    tiles[Thread] = roundFactor(tiles[Thread], dim.lanes,
                                ceilDiv(dim.extent, s.tileSize(d, Thread + 1)),
                                iter.extent, s.tileSize(d, Thread + 1));
  }
}
