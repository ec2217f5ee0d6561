//===- TileSpace.h - the tile factors of one sketch -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factorizations of every dimension over the tile levels of a sketch.
// Factors need not divide the extent, because tiles may reach beyond it. Prime
// extents therefore get good tiles. Along vectors the innermost factor is a
// number of whole vectors, and along the sum of a matrix instruction a number
// of whole sums, so the choices depend on these units.

#ifndef PRUNER_SKETCH_TILESPACE_H
#define PRUNER_SKETCH_TILESPACE_H

#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Sketch.h"

#include "llvm/ADT/DenseMap.h"

namespace pruner {

class TileSpace {
public:
  using Factors = llvm::SmallVector<int64_t, 4>;

  /// Copies the task and the machine.
  TileSpace(TaskDesc task, Machine machine, const Sketch &sketch);

  const TaskDesc &task() const { return taskDesc; }
  const Machine &machine() const { return device; }
  const Sketch &sketch() const { return tiling; }
  KnobContext context() const { return {taskDesc, device, tiling}; }
  llvm::ArrayRef<IterDim> dims() const { return taskDesc.dims(); }

  /// Lengths of vectors, ascending from 1, and values of Schedule::vectorDim,
  /// -1 first.
  llvm::ArrayRef<int64_t> vectors() const { return lengths; }
  llvm::ArrayRef<int64_t> vectorDims() const { return directions; }
  /// Values of Schedule::instruction, 0 first.
  llvm::ArrayRef<int64_t> instructions() const { return matrixInstructions; }
  /// The dimension along vectors if a schedule names none.
  std::optional<unsigned> lastDim() const { return last; }
  /// The dimension along vectors in `schedule` (CPU), if any.
  std::optional<unsigned> vectorDimOf(const Schedule &schedule) const;
  /// What the innermost factor of `dim` is a multiple of in `schedule`: the
  /// length of vectors, or the terms that a matrix instruction adds up. 0 if it
  /// may be any number.
  int64_t unitAlong(const Schedule &schedule, unsigned dim) const;

  /// All factorizations of `dim`, given the unit along it in `schedule`.
  const std::vector<Factors> &chainsOf(unsigned dim,
                                       const Schedule &schedule) const;
  /// Trips left for a level around tiles of `inside` elements.
  int64_t remaining(unsigned dim, int64_t inside) const;
  /// The factors of a level if `remaining` trips are left for it, ascending.
  /// `unit` is that of `unitAlong`.
  std::vector<int64_t> choices(unsigned dim, unsigned level, int64_t remaining,
                               int64_t unit) const;
  /// Draws one of the choices for the trips that are left around the inner
  /// factors of `dim`.
  int64_t draw(const Schedule &schedule, unsigned dim, unsigned level,
               Random &random) const;

  /// Reduces outer factors to what the inner ones leave, and rounds innermost
  /// factors to whole units.
  void fit(Schedule &schedule) const;
  /// Moves a factor to another level, changes it by one step, or draws it
  /// again. Returns false, possibly after a partial change, if that is
  /// impossible.
  bool mutate(Schedule &schedule, Random &random) const;

private:
  void listUnits();
  LevelKind levelKind(unsigned dim, unsigned level, int64_t unit) const;
  std::vector<int64_t> makeChoices(LevelKind kind, int64_t remaining,
                                   int64_t unit) const;
  void listChains(unsigned dim, int64_t unit, std::vector<Factors> &out);
  void extendChain(unsigned dim, int64_t unit, unsigned level, int64_t inside,
                   Factors &factors, std::vector<Factors> &out);

  TaskDesc taskDesc;
  Machine device;
  const Sketch &tiling;
  std::optional<unsigned> last;
  std::vector<int64_t> lengths, directions, matrixInstructions;
  /// units[d]: the units that schedules can have along dimension d, ascending.
  std::vector<std::vector<int64_t>> units;
  /// chains[d]: the factorizations of dimension d without a unit, and those for
  /// units[d][u] in list 1 + u.
  std::vector<std::vector<std::vector<Factors>>> chains;
  /// Dimensions with so many divisors that loops use only powers of two.
  std::vector<bool> coarse;
  /// Choices by (kind of level, remaining trips, unit). Filled while listing
  /// chains; constant afterwards.
  llvm::DenseMap<uint64_t, std::vector<int64_t>> memo;
};

} // namespace pruner

#endif // PRUNER_SKETCH_TILESPACE_H
