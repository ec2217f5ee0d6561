//===- Sketch.h - a fixed nesting of tile levels ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame of a schedule: its tile levels, the tasks that they fit, the
// program that a schedule makes and its resources, and heuristics for good
// factors. There is one object per sketch, defined in a file of
// lib/Sketch/Sketches. All code that depends on a sketch uses this interface.
// For example, `cpu_map` is for CPU tasks without a reduction. In each
// dimension it has a loop around a register tile, inside the tiles that are
// distributed to the cores.

#ifndef PRUNER_SKETCH_SKETCH_H
#define PRUNER_SKETCH_SKETCH_H

#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Sketch/Resources.h"
#include "pruner/Sketch/Violation.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace pruner {

class ResourceCounter;
class TaskForms;
class TileSpace;

/// The kind of a tile level, which decides the factors to draw.
enum class LevelKind : uint8_t {
  Loop,     ///< Any: divisors, powers of two, even parts, the whole.
  Coarse,   ///< As Loop, without divisors, for extents with very many.
  Rows,     ///< Register tile of a CPU, not along vectors.
  Vectors,  ///< Register tile of a CPU along vectors: whole vectors.
  Lanes,    ///< Inner reduction of a CPU along vectors: whole vectors.
  Threads,  ///< Threads of a block.
  Copies,   ///< Elements of a GPU thread.
  VThreads, ///< Virtual threads.
  Step,     ///< The innermost reduction of a GPU thread.
  Shared,   ///< Threads that share a reduction.
  Access,   ///< Neighboring elements of such a thread: one memory access.
};

struct TileLevel {
  llvm::StringLiteral name;
  LevelKind kind;
  /// For the dimension that vectors run along (CPU).
  LevelKind alongVectors = kind;
};

class Sketch {
public:
  const SketchId id;
  /// Its spelling in IR.
  const llvm::StringLiteral name;
  /// Whether it is for GPUs.
  const bool gpu;
  /// The maximum number of vector operations (elements on GPUs) in the body
  /// that is always unrolled, rule R12; 0 means no limit.
  const int64_t bodyLimit;

  /// The tile levels of a dimension for which a schedule has factors, outer to
  /// inner. The outermost level is not among them; its trip count is the
  /// remaining extent, rounded up. The last level of a parallel dimension is
  /// the register tile. The terms of a chain between products have no levels.
  llvm::ArrayRef<TileLevel> levels(DimKind kind) const {
    switch (kind) {
    case DimKind::Parallel:
      return parallelLevels;
    case DimKind::Reduction:
      return reductionLevels;
    case DimKind::Terms:
      return {};
    case DimKind::Columns:
      return llvm::ArrayRef(parallelLevels).take_back();
    }
    return {};
  }
  unsigned registerLevel() const { return parallelLevels.size() - 1; }

  /// Whether loops over a reduction surround the register tile. Inputs may then
  /// be staged around it, and its accumulators stay in registers.
  virtual bool tilesReduction() const { return false; }
  /// Whether it computes the results of fused producers in registers, so that
  /// they need no staging.
  virtual bool computesInputs() const { return false; }
  /// Checks rule R1 for the task.
  virtual MaybeViolation fits(const TaskDesc &task) const = 0;
  /// Checks the rules for tile factors that only this sketch has. The schedule
  /// already satisfies rules R1 to R4.
  virtual MaybeViolation check(const TaskDesc &task,
                               const Schedule &schedule) const {
    return std::nullopt;
  }

  /// The tile that a thread or core processes at a time, in the order of the
  /// output's coordinates, followed by the reductions of which it holds parts.
  virtual llvm::SmallVector<int64_t, 6>
  registerTile(const TaskDesc &task, const Schedule &schedule) const;
  virtual void count(ResourceCounter &counter) const = 0;
  /// Sends the program that `schedule` makes of the task to `sink`.
  virtual void build(const TaskForms &forms, const Schedule &schedule,
                     ProgramSink &sink) const = 0;

  /// The share of draws, of 100, for this sketch if other sketches also fit the
  /// task.
  virtual unsigned share(const TaskDesc &task) const { return 100; }
  /// Draws vectors and tile factors of a schedule without tiles by a heuristic.
  virtual void guide(const TileSpace &tiles, Schedule &schedule,
                     Random &random) const = 0;
  /// Adjusts tile factors to the multiples that the matrix instruction of the
  /// schedule needs.
  virtual void adjust(const TaskDesc &task, Schedule &schedule) const {}
  /// Fills in a schedule without tiles that is better than the choice of the
  /// analytical model; returns false if there is none.
  virtual bool setDefault(const TileSpace &tiles, Schedule &schedule) const {
    return false;
  }

protected:
  Sketch(SketchId id, llvm::StringLiteral name, bool gpu, int64_t bodyLimit,
         llvm::ArrayRef<TileLevel> parallelLevels,
         llvm::ArrayRef<TileLevel> reductionLevels)
      : id(id), name(name), gpu(gpu), bodyLimit(bodyLimit),
        parallelLevels(parallelLevels), reductionLevels(reductionLevels) {}
  ~Sketch() = default;
  /// Rule R1 for sketches that are not for chains over rows. The anchor must
  /// have a reduction, or else no reduction and no fused statements.
  MaybeViolation fitsAnchor(const TaskDesc &task, bool reduction) const;
  /// Rule R1 for sketches of chains without products, and of other tasks.
  MaybeViolation fitsRows(const TaskDesc &task, bool rows) const;

private:
  const llvm::ArrayRef<TileLevel> parallelLevels, reductionLevels;
};

/// All sketches in the order of SketchId.
llvm::ArrayRef<const Sketch *> allSketches();
const Sketch &sketchOf(const Schedule &schedule);
/// The sketch with this spelling in IR, or null.
const Sketch *findSketch(llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_SKETCH_SKETCH_H
