//===- Schedule.h - a schedule as plain data --------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The decisions for one task. `#pruner.schedule<...>` is its spelling in IR;
// `buildTiledProgram` says what it means, loop by loop.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PROGRAM_SCHEDULE_H
#define PRUNER_PROGRAM_SCHEDULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace pruner {

/// The sketches. A letter is one tile level, outermost first; S tiles the
/// parallel (space) dimensions, R the reduction dimensions.
enum class Variant : uint8_t {
  /// CPU, with a reduction: S S R S R S = cores, cache tile, outer reduction,
  /// register blocks, inner reduction, register tile (unrolled x vector).
  CpuTile,
  /// CPU, all parallel: S S = cores, register tile.
  CpuMap,
  /// CPU, a chain over rows: S S S = cores, loop, rows at a time; along a row
  /// as many elements at a time as the reduction factors say.
  CpuRow,
  /// GPU SIMT, with a reduction: S S S R R S R S = blocks, virtual threads,
  /// threads, outer reduction (staged), inner reduction, and a register tile
  /// of two levels around the innermost reduction.
  SimtTile,
  /// GPU, all parallel: S S S = blocks, threads, elements of a thread.
  SimtMap,
  /// GPU, a reduction or a chain over rows whose reduction dimensions are
  /// spread over threads, too (cross-thread reduction): S S S = blocks,
  /// threads, rows of a thread; R R R = steps, threads, elements of a thread.
  /// Every thread accumulates a part of its own; the parts are combined across
  /// the threads, which all know the result.
  SimtRow,
};

llvm::StringRef variantName(Variant variant);
std::optional<Variant> parseVariant(llvm::StringRef name);
bool isGpu(Variant variant);

/// Factors that a schedule gives per dimension: all levels but the outermost,
/// whose trip count is what remains of the extent, rounded up.
unsigned innerTileLevels(Variant variant, bool reduction);

/// Where an anchor input is copied into a buffer of its own (packed on CPUs,
/// shared memory on GPUs).
enum class StageLevel : uint8_t {
  None,  ///< Read in place.
  Inner, ///< Inside the outer reduction level: one tile x one reduction slice.
  Outer, ///< Inside the outermost level: one tile x the whole reduction.
  Ahead, ///< Before the kernel runs, all of it, once: constants only (CPU).
};

llvm::StringRef stageLevelName(StageLevel level);

struct Schedule {
  Variant variant = Variant::CpuTile;
  /// tiles[d]: factors of anchor dimension d, outer to inner, as many as
  /// `innerTileLevels` says. All are at least one.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 4> tiles;
  /// One per anchor input.
  llvm::SmallVector<StageLevel, 4> stages;
  /// Elements in a vector operation: along dimension `vectorDim` of the
  /// register tile on CPUs, the copies to shared memory on GPUs.
  int64_t vector = 1;
  /// CPU: the anchor dimension that vectors run along; -1 stands for the
  /// output's last coordinate. Along a reduction dimension every lane
  /// accumulates a part of its own, and the lanes are combined at the end.
  int64_t vectorDim = -1;
  /// Copies of the innermost reduction loop's body (CPU), or the largest
  /// number of iterations that is unrolled without a loop (GPU; Ansor's
  /// auto_unroll_max_step).
  int64_t unroll = 1;
  /// Elements added to the rows of staged buffers against bank conflicts.
  int64_t pad = 0;
  /// Order of the register-block loops, outermost first, as anchor
  /// dimensions; empty means the natural order (CpuTile only).
  llvm::SmallVector<int64_t, 4> order;
  /// GPU: for each reduction dimension into how many parts its steps are
  /// divided, each for a block of its own (split-K); empty stands for one part
  /// of all. The blocks leave partial results in a workspace, and a second
  /// kernel combines them.
  llvm::SmallVector<int64_t, 4> split;

  /// CpuRow: the first elementwise statement along a row also fetches into the
  /// cache what it reads that many times the rows at a time further on. Rows
  /// end where pages often do, and there hardware stops to fetch ahead.
  int64_t prefetch = 0;

  /// Product of the factors of dimension `dim` from level `from` (counted
  /// among the inner levels) inward: the elements of one such tile.
  int64_t tileSize(unsigned dim, unsigned from = 0) const;

  /// Whether blocks share a reduction.
  bool splitsReduction() const {
    return llvm::any_of(split, [](int64_t parts) { return parts > 1; });
  }

  bool operator==(const Schedule &other) const;
};

} // namespace pruner

#endif // PRUNER_PROGRAM_SCHEDULE_H
