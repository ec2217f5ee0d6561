//===- Schedule.h - a schedule as plain data --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions for one task. `#pruner.schedule<...>` is its spelling in IR;
// `buildTiledProgram` defines its meaning, loop by loop. The knobs define the
// values of the fields and how search changes them (Sketch/Knob.h); the
// sketches define the tile levels (Sketch/Sketch.h).

#ifndef PRUNER_SKETCH_SCHEDULE_H
#define PRUNER_SKETCH_SCHEDULE_H

#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace pruner {

/// The sketches. Each is described in a file of lib/Sketch/Sketches.
enum class SketchId : uint8_t {
  CpuTile,
  CpuMap,
  CpuRow,
  SimtTile,
  SimtMap,
  SimtRow,
  CpuChain,
};

/// Where an anchor input is copied into a separate buffer (packed on CPUs,
/// shared memory on GPUs).
enum class StageLevel : uint8_t {
  None,  ///< Read in place.
  Inner, ///< Inside the outer reduction level: one tile x one reduction slice.
  Outer, ///< Inside the outermost level: one tile x the whole reduction.
  Ahead, ///< Before the kernel runs, once and completely: constants only (CPU).
};

struct Schedule {
  SketchId sketch = SketchId::CpuTile;
  /// tiles[d]: the factors of dimension d of the task, outer to inner, one for
  /// each tile level of the sketch. All are at least one.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 8> tiles;
  /// One per anchor input.
  llvm::SmallVector<StageLevel, 4> stages;
  /// Elements of a vector operation: along dimension `vectorDim` of the
  /// register tile on CPUs, of copies to shared memory on GPUs.
  int64_t vector = 1;
  /// CPU: the anchor dimension that vectors run along; -1 means the output's
  /// last coordinate. Along a reduction dimension every lane accumulates a
  /// part, and the lanes are combined at the end.
  int64_t vectorDim = -1;
  /// CPU: copies of the body of the innermost reduction loop. GPU: the maximum
  /// number of iterations that are unrolled completely (Ansor's
  /// auto_unroll_max_step).
  int64_t unroll = 1;
  /// Elements added to the rows of staged buffers to avoid bank conflicts.
  int64_t pad = 0;
  /// Order of the register-block loops, outermost first, as anchor
  /// dimensions; empty means the natural order.
  llvm::SmallVector<int64_t, 4> order;
  /// GPU: for each reduction dimension the number of parts into which its steps
  /// are divided, each for a separate block (split-K). Empty means one part
  /// each. The blocks write partial results to a workspace, and a second kernel
  /// combines them.
  llvm::SmallVector<int64_t, 4> split;
  /// CPU, a chain over rows: the first elementwise statement along a row also
  /// prefetches its inputs for later rows, that many groups of rows ahead. Rows
  /// often end at page ends, where hardware stops prefetching. With a tiled
  /// reduction: 1 prefetches the next panel of a packed operand into the
  /// second-level cache while the current one is used, and what the epilogue
  /// reads of the next register tile.
  int64_t prefetch = 0;
  /// The parallel dimension along which outermost tiles follow one another on a
  /// core or among blocks; -1 means the last one.
  int64_t raster = -1;
  /// CPU: 1 stores results without reading their lines into the caches first
  /// (non-temporal stores).
  int64_t stream = 0;
  /// GPU: the number of buffers of each input that is staged inside the outer
  /// reduction. The copies of the next `pipeline` - 1 slices are under way
  /// while one slice is used. 1 copies and uses one slice after the other.
  int64_t pipeline = 1;
  /// The matrix instruction that computes the register tile, as its number in
  /// `allMatrixInstructions` from 1 (Program/MatrixInstruction.h). 0 is vector
  /// arithmetic (CPU) or scalar arithmetic (GPU).
  int64_t instruction = 0;

  /// Product of the factors of dimension `dim` from level `from` (counted among
  /// the inner levels) inward: the size of such a tile.
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

  /// Compares the sketch, the tiles and the value of every knob.
  bool operator==(const Schedule &other) const;
};

llvm::hash_code hash_value(const Schedule &schedule);

/// For sets and maps of pointers to schedules, compared by value.
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
