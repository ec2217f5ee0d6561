//===- Schedule.h - a schedule as plain data --------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The decisions for one task. `#pruner.schedule<...>` is its spelling in IR;
// `buildTiledProgram` says what it means, loop by loop. What the fields may be
// and how a search changes them is said by the knobs (Sketch/Knob.h), what the
// tile levels are by the sketches (Sketch/Sketch.h).
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SKETCH_SCHEDULE_H
#define PRUNER_SKETCH_SCHEDULE_H

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace pruner {

/// The sketches, each described in a file of lib/Sketch/Sketches.
enum class SketchId : uint8_t {
  CpuTile,
  CpuMap,
  CpuRow,
  SimtTile,
  SimtMap,
  SimtRow,
};

/// Where an anchor input is copied into a buffer of its own (packed on CPUs,
/// shared memory on GPUs).
enum class StageLevel : uint8_t {
  None,  ///< Read in place.
  Inner, ///< Inside the outer reduction level: one tile x one reduction slice.
  Outer, ///< Inside the outermost level: one tile x the whole reduction.
  Ahead, ///< Before the kernel runs, all of it, once: constants only (CPU).
};

struct Schedule {
  SketchId sketch = SketchId::CpuTile;
  /// tiles[d]: factors of anchor dimension d, outer to inner, one for each of
  /// the sketch's tile levels. All are at least one.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 8> tiles;
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
  /// dimensions; empty means the natural order.
  llvm::SmallVector<int64_t, 4> order;
  /// GPU: for each reduction dimension into how many parts its steps are
  /// divided, each for a block of its own (split-K); empty stands for one part
  /// of all. The blocks leave partial results in a workspace, and a second
  /// kernel combines them.
  llvm::SmallVector<int64_t, 4> split;
  /// CPU, a chain over rows: the first elementwise statement along a row also
  /// fetches into the cache what it reads that many times the rows at a time
  /// further on. Rows end where pages often do, and there hardware stops to
  /// fetch ahead. With a tiled reduction: 1 to fetch the next panel of a packed
  /// operand into the second-level cache while the present one is used.
  int64_t prefetch = 0;
  /// The parallel dimension along which outermost tiles follow one another on a
  /// core or among blocks; -1 stands for the last one.
  int64_t raster = -1;

  /// Product of the factors of dimension `dim` from level `from` (counted
  /// among the inner levels) inward: the elements of one such tile.
  int64_t tileSize(unsigned dim, unsigned from = 0) const {
    int64_t product = 1;
    for (unsigned level = from; level < tiles[dim].size(); ++level)
      product *= tiles[dim][level];
    return product;
  }

  /// Whether blocks share a reduction.
  bool splitsReduction() const {
    return llvm::any_of(split, [](int64_t parts) { return parts > 1; });
  }

  /// The same sketch, tiles and value of every knob.
  bool operator==(const Schedule &other) const;
};

llvm::hash_code hash_value(const Schedule &schedule);

/// Sets and maps of pointers to schedules, by what they point to.
struct SchedulePointee : llvm::DenseMapInfo<const Schedule *> {
  static unsigned getHashValue(const Schedule *schedule) {
    return unsigned(size_t(hash_value(*schedule)));
  }
  static bool isEqual(const Schedule *a, const Schedule *b) {
    auto stands = [](const Schedule *s) {
      return s != getEmptyKey() && s != getTombstoneKey();
    };
    return a == b || (stands(a) && stands(b) && *a == *b);
  }
};

} // namespace pruner

#endif // PRUNER_SKETCH_SCHEDULE_H
