//===- SketchSpace.h - the legal fillings of one sketch ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedules of one sketch. A space is the product of knobs: the
// factorisation of every dimension over the variant's tile levels, where each
// input is staged, the vector length and the dimension along vectors,
// unrolling, row padding and the order of the register blocks. Factors need not
// divide anything: tiles may reach beyond the extent, which is how prime
// extents get good tiles. Every schedule that leaves a space keeps all rules of
// Analysis/Legality.h.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SCHEDULE_SKETCHSPACE_H
#define PRUNER_SCHEDULE_SKETCHSPACE_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Schedule.h"
#include "pruner/Program/Task.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <string>
#include <vector>

namespace pruner {

/// How many draws were legal, and how many broke which rule ("R11").
struct RejectionStats {
  uint64_t accepted = 0;
  std::map<std::string, uint64_t> rejected;

  /// Draws in all.
  uint64_t total() const {
    uint64_t sum = accepted;
    for (const auto &[rule, count] : rejected)
      sum += count;
    return sum;
  }
};

/// One decision and its values, for people: "tile d0 register" {1, 2, ...}.
/// Tile choices are those for the whole extent; inner tiles leave fewer.
struct Knob {
  std::string name;
  std::vector<int64_t> choices;
};

/// Which share of the draws goes where; see SketchSpace::sample.
struct SpaceOptions {
  /// Draws whose register tile is built to nearly fill the registers (CPU), or
  /// whose threads and register tile are built for round totals (GPU). The
  /// rest is uniform over all factorisations.
  double guidedShare = 0.6;
  /// Draws until sample() or mutate() gives up.
  unsigned attempts = 256;
};

class SketchSpace {
public:
  /// The fillings of `sketch` for `task` on `machine`, all of them copied. The
  /// sketch must fit the task and the machine (rule R1).
  SketchSpace(TaskDesc task, Machine machine, Variant sketch,
              SpaceOptions options = {});

  const TaskDesc &task() const { return taskDesc; }
  const Machine &machine() const { return device; }
  Variant variant() const { return sketch; }

  /// Points of the product of all knobs, of which those within the machine's
  /// limits are legal schedules.
  double size() const;

  /// The point with that number, 0 <= index < size(); nothing where it is not
  /// legal. Only for spaces that fit an integer (size() < 2^63).
  std::optional<Schedule> at(uint64_t index) const;

  /// A random legal schedule. A share of the draws (SpaceOptions) builds the
  /// register tile first, from the machine's registers: the vectors along the
  /// output's innermost dimension are drawn, and as many rows as then fit, or
  /// a little fewer. That gives 6x16 on 16 registers of 8 lanes and 12x32 or
  /// 14x32 on 32 of 16. The other draws take every factorisation of a
  /// dimension as equally likely. Nothing only if no legal schedule was found
  /// in SpaceOptions::attempts draws and the schedule without tiles is not
  /// legal either.
  std::optional<Schedule> sample(Random &random,
                                 RejectionStats *stats = nullptr) const;

  /// A legal schedule that differs from `schedule` in one knob. The knob is
  /// drawn with Ansor's weights: tile size 0.90; on CPUs staging (Ansor's
  /// compute location) 0.05, unrolling (and fetching ahead, each the half) 0.04, order 0.005 and vectors (their
  /// length and their dimension) 0.005; on
  /// GPUs unrolling 0.04, vector, padding and staging 0.02 each, and splitting
  /// the reduction 0.02 of the tile's where that can be. A tile is changed by moving a factor to another level, by one step, or by a new
  /// draw. Nothing after SpaceOptions::attempts failures.
  std::optional<Schedule> mutate(const Schedule &schedule,
                                 Random &random) const;

  /// A legal schedule that takes each knob from one of two parents.
  std::optional<Schedule> crossover(const Schedule &a, const Schedule &b,
                                    Random &random) const;

  /// All legal schedules that differ from `schedule` in the value of one knob
  /// (a tile factor, with outer factors cut back where they no longer fit).
  std::vector<Schedule> neighbours(const Schedule &schedule) const;

  /// The schedule to use with no search at all: for elementwise work on CPUs
  /// whole rows in vectors, else the best of a fixed set of draws by the draft
  /// model. Deterministic.
  std::optional<Schedule> defaultSchedule() const;

  std::vector<Knob> knobs() const;
  /// The knobs and the size as text.
  std::string describe() const;

private:
  using Factors = llvm::SmallVector<int64_t, 4>;

  //===--- choices (Choices.cpp) -----------------------------------------===//
  void listVectors();
  void listVectorDims();
  void listStages();
  void listOrders();
  void listSplits();
  enum class LevelKind : uint8_t;
  LevelKind levelKind(unsigned dim, unsigned level, int64_t vector) const;
  std::vector<int64_t> makeChoices(LevelKind kind, int64_t remaining,
                                   int64_t vector) const;
  /// What a level may be when `remaining` trips are left for it, ascending.
  /// `vector` is the vector length along this dimension, 0 if vectors do not
  /// run along it.
  std::vector<int64_t> choices(unsigned dim, unsigned level, int64_t remaining,
                               int64_t vector) const;
  void listChains(unsigned dim, int64_t vector, std::vector<Factors> &out);
  void extendChain(unsigned dim, int64_t vector, unsigned level, int64_t inside,
                   Factors &factors, std::vector<Factors> &out);
  /// The dimension along vectors in `schedule` (CPU), or nothing.
  std::optional<unsigned> vectorDimOf(const Schedule &schedule) const;
  /// The vector length along `dim` in `schedule`, or 0.
  int64_t lanesAlong(const Schedule &schedule, unsigned dim) const {
    return vectorDimOf(schedule) == dim ? schedule.vector : 0;
  }
  const std::vector<Factors> &chainsOf(unsigned dim,
                                       const Schedule &schedule) const;
  /// Trips left for a level around tiles of `inside` elements.
  int64_t remaining(unsigned dim, int64_t inside) const;

  //===--- drawing (Sample.cpp) ------------------------------------------===//
  Schedule blank() const;
  std::optional<Schedule> streamingMap() const;
  Schedule drawUniform(Random &random) const;
  Schedule drawGuided(Random &random) const;
  void drawRest(Schedule &schedule, Random &random) const;
  void guideCpu(Schedule &schedule, Random &random) const;
  void guideRows(Schedule &schedule, Random &random) const;
  void guideSimt(Schedule &schedule, Random &random) const;
  void guideThreadRows(Schedule &schedule, Random &random) const;
  void drawSplit(Schedule &schedule, Random &random) const;
  void spreadRows(Schedule &schedule, unsigned level, int64_t rows,
                  Random &random) const;
  void spreadFactors(Schedule &schedule, unsigned level, int64_t total,
                     Random &random) const;
  void fillOuter(Schedule &schedule, unsigned dim, unsigned levels,
                 Random &random) const;

  //===--- changing (Mutate.cpp) -----------------------------------------===//
  bool mutateTile(Schedule &schedule, Random &random) const;
  /// Cuts outer factors back to what the inner ones leave.
  void repair(Schedule &schedule) const;
  /// Cuts the parts of a split reduction back to its steps.
  void repairSplit(Schedule &schedule) const;

  TaskDesc taskDesc;
  Machine device;
  SpaceOptions options;
  Variant sketch;
  /// The dimension along vectors where a schedule names none.
  std::optional<unsigned> lastDim;
  /// Values of Schedule::vectorDim; -1 first.
  std::vector<int64_t> vectorDims;
  std::vector<int64_t> vectors, unrolls, pads, prefetches;
  std::vector<std::vector<StageLevel>> stages;
  std::vector<llvm::SmallVector<int64_t, 4>> orders;
  /// Values of Schedule::split; none first.
  std::vector<llvm::SmallVector<int64_t, 4>> splits;
  /// chains[d]: the factorisations of dimension d without vectors along it,
  /// and, where there may be some, with vectors of length vectors[v] in list
  /// 1 + v.
  std::vector<std::vector<std::vector<Factors>>> chains;
  /// Dimensions with so many divisors that loops take powers of two only.
  std::vector<bool> coarse;
  /// Choices by (kind of level, remaining trips, vector), filled while listing
  /// chains; const afterwards.
  llvm::DenseMap<uint64_t, std::vector<int64_t>> memo;
};

} // namespace pruner

#endif // PRUNER_SCHEDULE_SKETCHSPACE_H
