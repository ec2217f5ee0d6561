//===- TileSpace.h - the tile factors of one sketch -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The factorisations of every dimension over a sketch's tile levels. Factors
// need not divide anything: tiles may reach beyond the extent, which is how
// prime extents get good tiles. Along vectors the innermost factor is a number
// of whole vectors, so what there is depends on their length and dimension.
//
//===----------------------------------------------------------------------===//

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
  llvm::ArrayRef<IterDim> dims() const {
    return taskDesc.anchorStatement().dims;
  }

  /// Lengths of vectors, ascending from 1; values of Schedule::vectorDim, -1
  /// first.
  llvm::ArrayRef<int64_t> vectors() const { return lengths; }
  llvm::ArrayRef<int64_t> vectorDims() const { return directions; }
  /// The dimension along vectors where a schedule names none.
  std::optional<unsigned> lastDim() const { return last; }
  /// The dimension along vectors in `schedule` (CPU), or nothing.
  std::optional<unsigned> vectorDimOf(const Schedule &schedule) const;
  /// The vector length along `dim` in `schedule`, or 0.
  int64_t lanesAlong(const Schedule &schedule, unsigned dim) const {
    return vectorDimOf(schedule) == dim ? schedule.vector : 0;
  }

  /// All factorisations of `dim`, given the vectors of `schedule`.
  const std::vector<Factors> &chainsOf(unsigned dim,
                                       const Schedule &schedule) const;
  /// Trips left for a level around tiles of `inside` elements.
  int64_t remaining(unsigned dim, int64_t inside) const;
  /// What a level may be when `remaining` trips are left for it, ascending.
  /// `vector` is the vector length along this dimension, 0 if vectors do not
  /// run along it.
  std::vector<int64_t> choices(unsigned dim, unsigned level, int64_t remaining,
                               int64_t vector) const;
  /// One of the choices for what is left around the inner factors of `dim`.
  int64_t draw(const Schedule &schedule, unsigned dim, unsigned level,
               Random &random) const;

  /// Cuts outer factors back to what the inner ones leave, and makes the one
  /// along vectors whole.
  void fit(Schedule &schedule) const;
  /// Moves a factor to another level, changes it by one step, or draws it anew.
  /// False, and maybe half done, where that cannot be.
  bool mutate(Schedule &schedule, Random &random) const;

private:
  LevelKind levelKind(unsigned dim, unsigned level, int64_t vector) const;
  std::vector<int64_t> makeChoices(LevelKind kind, int64_t remaining,
                                   int64_t vector) const;
  void listChains(unsigned dim, int64_t vector, std::vector<Factors> &out);
  void extendChain(unsigned dim, int64_t vector, unsigned level, int64_t inside,
                   Factors &factors, std::vector<Factors> &out);

  TaskDesc taskDesc;
  Machine device;
  const Sketch &tiling;
  std::optional<unsigned> last;
  std::vector<int64_t> lengths, directions;
  /// chains[d]: the factorisations of dimension d without vectors along it,
  /// and, where there may be some, with vectors of length lengths[v] in list
  /// 1 + v.
  std::vector<std::vector<std::vector<Factors>>> chains;
  /// Dimensions with so many divisors that loops take powers of two only.
  std::vector<bool> coarse;
  /// Choices by (kind of level, remaining trips, vector), filled while listing
  /// chains; const afterwards.
  llvm::DenseMap<uint64_t, std::vector<int64_t>> memo;
};

} // namespace pruner

#endif // PRUNER_SKETCH_TILESPACE_H
