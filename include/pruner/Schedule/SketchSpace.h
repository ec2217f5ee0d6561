//===- SketchSpace.h - the legal fillings of one sketch ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schedules of one sketch. A space is the product of the factorisations of
// every dimension over the sketch's tile levels (Sketch/TileSpace.h) and the
// values of all knobs (Sketch/Knob.h). Every schedule that leaves a space keeps
// all rules of Analysis/Legality.h.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SCHEDULE_SKETCHSPACE_H
#define PRUNER_SCHEDULE_SKETCHSPACE_H

#include "pruner/Sketch/TileSpace.h"

#include <map>

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
  /// The fillings of `sketch` for `task` on `machine`, both copied. The sketch
  /// must fit the task and the machine (rule R1).
  SketchSpace(TaskDesc task, Machine machine, const Sketch &sketch,
              SpaceOptions options = {});

  const TaskDesc &task() const { return tiles.task(); }
  const Machine &machine() const { return tiles.machine(); }
  const Sketch &sketch() const { return tiles.sketch(); }

  /// Points of the product of tiles and knobs, of which those within the
  /// machine's limits are legal schedules.
  double size() const;

  /// The point with that number, 0 <= index < size(); nothing where it is not
  /// legal. Only for spaces that fit an integer (size() < 2^63).
  std::optional<Schedule> at(uint64_t index) const;

  /// A random legal schedule. A share of the draws (SpaceOptions) is guided:
  /// the sketch builds the register tile first, from the machine's registers or
  /// threads. That gives 6x16 on 16 registers of 8 lanes and 12x32 or 14x32 on
  /// 32 of 16. The other draws take every factorisation of a dimension as
  /// equally likely. Nothing only if no legal schedule was found in
  /// SpaceOptions::attempts draws and the schedule without tiles is not legal
  /// either.
  std::optional<Schedule> sample(Random &random,
                                 RejectionStats *stats = nullptr) const;

  /// A legal schedule that differs from `schedule` in one knob or tile. Which
  /// is drawn with Ansor's weights: tile size 0.90, and of the rest what each
  /// knob says (Knob::mutations). A tile is changed by moving a factor to
  /// another level, by one step, or by a new draw. Nothing after
  /// SpaceOptions::attempts failures.
  std::optional<Schedule> mutate(const Schedule &schedule,
                                 Random &random) const;

  /// A legal schedule that takes each knob and tile from one of two parents.
  std::optional<Schedule> crossover(const Schedule &a, const Schedule &b,
                                    Random &random) const;

  /// All legal schedules that differ from `schedule` in the value of one knob
  /// or tile factor (with outer factors cut back where they no longer fit).
  std::vector<Schedule> neighbours(const Schedule &schedule) const;

  /// A schedule of another task with its tiles and knobs made to fit this one.
  /// Nothing where it is of another sketch, or of a task with other dimensions
  /// or operands, or where what comes of it is not legal.
  std::optional<Schedule> adopt(Schedule schedule) const;

  /// The schedule to use with no search at all: what the sketch says, else the
  /// best of a fixed set of draws by the draft model. Deterministic.
  std::optional<Schedule> defaultSchedule() const;

  /// The tile levels and knobs with their values, and the size, as text.
  std::string describe() const;

private:
  /// A knob with its values at every position.
  struct KnobValues {
    const Knob *knob;
    std::vector<std::vector<Knob::Value>> positions;
    /// Some position has more than one.
    bool hasChoice = false;
    /// Those of `knobs` that have a part of its mutations.
    llvm::SmallVector<unsigned, 2> partners;

    bool isBeforeTiles() const { return knob->has(Knob::BeforeTiles); }
    /// Whether mutation and crossover draw for it.
    bool isDrawn() const { return hasChoice || knob->has(Knob::AlwaysDrawn); }
    /// Chooses values by the lowest digits of `index`, and takes those off.
    void choose(Schedule &schedule, uint64_t &index) const;
  };

  Schedule drawUniform(Random &random) const;
  Schedule drawGuided(Random &random) const;
  bool mutateOnce(Schedule &schedule, Random &random) const;
  void mutateKnob(const KnobValues &values, Schedule &schedule,
                  Random &random) const;
  void choose(const KnobValues &values, unsigned position,
              const Knob::Value &value, Schedule &schedule) const;
  /// Makes tiles and knobs fit each other again.
  void repair(Schedule &schedule) const;
  bool isLegal(const Schedule &schedule) const;
  /// The choices of the knobs that tiles are fitted to, without tiles.
  std::vector<Schedule> tilingKinds() const;

  TileSpace tiles;
  SpaceOptions options;
  /// All of them, in their order.
  std::vector<KnobValues> knobs;
  /// Which of `knobs` each of 1000 mutations changes; -1 = a tile.
  std::vector<int8_t> mutated;
  /// Every knob with its first value, and no tiles.
  Schedule blank;
};

} // namespace pruner

#endif // PRUNER_SCHEDULE_SKETCHSPACE_H
