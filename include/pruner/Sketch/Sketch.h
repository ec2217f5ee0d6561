//===- Sketch.h - a fixed nesting of tile levels ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule is relative to: which tile levels there are, which tasks they
// fit, what program they make and what that occupies, and how good factors are
// drawn. There is one object per sketch, made in a file of lib/Sketch/Sketches;
// whoever must know something of a sketch asks it here. For example `cpu_map`:
// CPU tasks without a reduction; in each dimension a loop around a register
// tile, inside the tiles that are dealt to the cores.
//
//===----------------------------------------------------------------------===//

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

/// Which factors a tile level draws from.
enum class LevelKind : uint8_t {
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

struct TileLevel {
  llvm::StringLiteral name;
  LevelKind kind;
  /// Of the dimension that vectors run along (CPU).
  LevelKind alongVectors = kind;
};

class Sketch {
public:
  const SketchId id;
  /// Its spelling in IR.
  const llvm::StringLiteral name;
  /// Whether it is for GPUs.
  const bool gpu;
  /// Vector operations (elements on GPUs) that rule R12 allows in the body that
  /// is always unrolled; 0 = any number.
  const int64_t bodyLimit;

  /// The tile levels of a parallel or a reduction dimension for which a
  /// schedule gives factors, outer to inner: all but the outermost, whose trip
  /// count is what remains of the extent, rounded up. The last one of a
  /// parallel dimension is the register tile.
  llvm::ArrayRef<TileLevel> levels(bool reduction) const {
    return reduction ? reductionLevels : parallelLevels;
  }
  unsigned registerLevel() const { return parallelLevels.size() - 1; }

  /// Whether loops over a reduction surround the register tile, so that inputs
  /// may be staged around it and its accumulators stay in registers.
  virtual bool tilesReduction() const { return false; }
  /// Whether it computes what a fused producer makes of inputs in registers, so
  /// that they need no staging.
  virtual bool computesInputs() const { return false; }
  /// Rule R1 against the task.
  virtual MaybeViolation fits(const TaskDesc &task) const = 0;
  /// Rules of the tile factors that are the sketch's own. The schedule keeps
  /// rules R1 to R4.
  virtual MaybeViolation check(const TaskDesc &task,
                               const Schedule &schedule) const {
    return std::nullopt;
  }

  /// What a thread or core works on at a time, in the order of the output's
  /// coordinates, then of the reductions that it holds parts of.
  virtual llvm::SmallVector<int64_t, 6>
  registerTile(const TaskDesc &task, const Schedule &schedule) const;
  virtual void count(ResourceCounter &counter) const = 0;
  /// Tells `sink` of the program that `schedule` makes of the task.
  virtual void build(const TaskForms &forms, const Schedule &schedule,
                     ProgramSink &sink) const = 0;

  /// How many of 100 draws it has where other sketches fit the task, too.
  virtual unsigned share(const TaskDesc &task) const { return 100; }
  /// Draws vectors and tile factors of a schedule without tiles as experience
  /// recommends.
  virtual void guide(const TileSpace &tiles, Schedule &schedule,
                     Random &random) const = 0;
  /// Fills in a schedule without tiles that is better than what the draft model
  /// would choose; false where there is none.
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
  /// Rule R1 for sketches of tasks that are no chains over rows, whose anchor
  /// must have a reduction, or none and nothing fused to it.
  MaybeViolation fitsAnchor(const TaskDesc &task, bool reduction) const;
  MaybeViolation fitsRows(const TaskDesc &task, bool rows) const;

private:
  const llvm::ArrayRef<TileLevel> parallelLevels, reductionLevels;
};

/// All sketches in the order of SketchId.
llvm::ArrayRef<const Sketch *> allSketches();
const Sketch &sketchOf(const Schedule &schedule);
/// The sketch that IR spells so, or null.
const Sketch *findSketch(llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_SKETCH_SKETCH_H
