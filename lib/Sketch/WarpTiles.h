//===- WarpTiles.h - tiles of warps in simt_tile ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile factors of simt_tile with a matrix instruction of warps. The threads
// along the rows and the columns of the instruction are warps times lanes, a
// lane has one row and two neighboring columns, and copies of both make up the
// tile of a warp.

#ifndef PRUNER_LIB_SKETCH_WARPTILES_H
#define PRUNER_LIB_SKETCH_WARPTILES_H

#include "pruner/Program/WarpInstruction.h"
#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/ArrayRef.h"

namespace pruner {

namespace simt_tile {
/// Levels of parallel dimensions, and of reductions.
enum : unsigned {
  VThread = 0,
  Thread = 1,
  Copies = 2,
  Element = 3,
  Slice = 0,
  Step = 1
};
} // namespace simt_tile

/// Lanes of a warp along a dimension.
int64_t lanesAlong(const InstructionUse &use, const TaskDesc &task,
                   unsigned dim);

/// What `drawWarpTiles` draws from.
struct WarpTileChoices {
  llvm::ArrayRef<int64_t> warps; ///< Along rows, and along columns.
  /// Products of a warp along both.
  llvm::ArrayRef<int64_t> rows, columns;
  llvm::ArrayRef<int64_t> steps;    ///< Of the sum, in a step of the schedule.
  llvm::ArrayRef<int64_t> slices;   ///< Steps of a slice.
  llvm::ArrayRef<int64_t> vthreads; ///< Along both.
  llvm::ArrayRef<int64_t> others;   ///< Warps along each other dimension.
  /// Whether slices may have the whole extents of other reductions, as windows.
  bool wholeWindows;
};

/// Tiles as search draws them, and small ones for tests.
extern const WarpTileChoices kSearchedWarpTiles, kSmallWarpTiles;

/// Draws tile factors for the matrix instruction of `s`. Returns false, with
/// all factors 1, if `s` has none or the smallest tiles are larger than the
/// task.
bool drawWarpTiles(const TaskDesc &task, Schedule &s,
                   const WarpTileChoices &choices, Random &random);

/// For search: rounds tile factors to whole lanes and products, as far as the
/// extents allow. Factors are powers of two of these unless tiles divide the
/// extent, and virtual threads and slices become copies and steps, so that
/// fewer schedules have the same code. Without an instruction nothing changes.
void adjustWarpTiles(const TaskDesc &task, Schedule &s);

/// GPU: the number of elements of which the padding of rows is a multiple, so
/// that every row begins at a chunk of the matrix instruction of `s`.
int64_t padUnit(const Schedule &s);

} // namespace pruner

#endif // PRUNER_LIB_SKETCH_WARPTILES_H
