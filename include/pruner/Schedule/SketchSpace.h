//===- SketchSpace.h - the legal schedules of one sketch --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The legal schedules of one sketch. The space is the product of the
// factorizations of every dimension over the sketch's tile levels
// (Sketch/TileSpace.h) and the values of all knobs (Sketch/Knob.h). Every
// schedule that it returns satisfies all rules of Analysis/Legality.h.

#ifndef PRUNER_SCHEDULE_SKETCHSPACE_H
#define PRUNER_SCHEDULE_SKETCHSPACE_H

#include "pruner/Sketch/TileSpace.h"

#include <map>

namespace pruner {

/// Counts legal draws, and illegal ones by the rule that they violate ("R11").
struct RejectionStats {
  uint64_t accepted = 0;
  std::map<std::string, uint64_t> rejected;

  /// All draws.
  uint64_t total() const {
    uint64_t sum = accepted;
    for (const auto &[rule, count] : rejected)
      sum += count;
    return sum;
  }
};

/// Options of SketchSpace::sample.
struct SpaceOptions {
  /// Share of guided draws: the register tile almost fills the registers (CPU),
  /// or the numbers of threads and of register tiles have round products (GPU).
  /// The other draws are uniform over all factorizations.
  double guidedShare = 0.6;
  /// Attempts after which sample() or mutate() fails.
  unsigned attempts = 256;
};

class SketchSpace {
public:
  /// The schedules of `sketch` for `task` on `machine`, both copied. The sketch
  /// must fit the task and the machine (rule R1).
  SketchSpace(TaskDesc task, Machine machine, const Sketch &sketch,
              SpaceOptions options = {});

  const TaskDesc &task() const { return tiles.task(); }
  const Machine &machine() const { return tiles.machine(); }
  const Sketch &sketch() const { return tiles.sketch(); }

  /// Returns the number of points of the product of tiles and knobs. Some of
  /// them violate limits of the machine.
  double size() const;

  /// Returns the point with this number, 0 <= index < size(); nothing if it is
  /// illegal. Only for spaces whose size fits an integer (size() < 2^63).
  std::optional<Schedule> at(uint64_t index) const;

  /// Returns a random legal schedule. In a guided draw (SpaceOptions) the
  /// sketch builds the register tile first, from the machine's registers or
  /// threads: 6x16 on 16 registers of 8 lanes, and 12x32 or 14x32 on 32 of 16.
  /// In the other draws every factorization of a dimension is equally likely.
  /// Returns nothing only if SpaceOptions::attempts draws gave no legal
  /// schedule and the schedule without tiles is illegal, too.
  std::optional<Schedule> sample(Random &random,
                                 RejectionStats *stats = nullptr) const;

  /// Returns a legal schedule that differs from `schedule` in one knob or tile.
  /// It is chosen with Ansor's weights: tile size 0.90, and the rest according
  /// to each knob (Knob::mutations). A tile is changed by moving a factor to
  /// another level, by one step, or by a new draw. Returns nothing after
  /// SpaceOptions::attempts failures.
  std::optional<Schedule> mutate(const Schedule &schedule,
                                 Random &random) const;

  /// Returns a legal schedule with each knob and tile from one of two parents.
  std::optional<Schedule> crossover(const Schedule &a, const Schedule &b,
                                    Random &random) const;

  /// Returns all legal schedules that differ from `schedule` in one knob or
  /// tile factor. Outer factors are reduced where they no longer fit.
  std::vector<Schedule> neighbors(const Schedule &schedule) const;

  /// Fits the tiles and knobs of another task's schedule to this task. Returns
  /// nothing if the sketch, the dimensions or the operands differ, or if the
  /// result is illegal.
  std::optional<Schedule> adopt(Schedule schedule) const;

  /// Returns the schedule to use without a search: that of the sketch if it
  /// defines one, else the best of a fixed set of draws by the analytical
  /// model. Deterministic.
  std::optional<Schedule> defaultSchedule() const;

  /// Returns the tile levels, the knobs with their values, and the size as
  /// text.
  std::string describe() const;

private:
  /// A knob with its values at every position.
  struct KnobValues {
    const Knob *knob;
    std::vector<std::vector<Knob::Value>> positions;
    /// Whether some position has more than one value.
    bool hasChoice = false;
    /// Indices of `knobs` that share its mutations.
    llvm::SmallVector<unsigned, 2> partners;

    bool isBeforeTiles() const { return knob->has(Knob::BeforeTiles); }
    /// Whether mutation and crossover draw values of it.
    bool isDrawn() const { return hasChoice || knob->has(Knob::AlwaysDrawn); }
    /// Chooses values by the lowest digits of `index`, and removes these
    /// digits.
    void choose(Schedule &schedule, uint64_t &index) const;
  };

  Schedule drawUniform(Random &random) const;
  Schedule drawGuided(Random &random) const;
  bool mutateOnce(Schedule &schedule, Random &random) const;
  void mutateKnob(const KnobValues &values, Schedule &schedule,
                  Random &random) const;
  void choose(const KnobValues &values, unsigned position,
              const Knob::Value &value, Schedule &schedule) const;
  /// Makes tiles and knobs consistent after a change.
  void repair(Schedule &schedule) const;
  bool isLegal(const Schedule &schedule) const;
  /// Returns all choices of the knobs on which tiles depend, without tiles.
  std::vector<Schedule> tilingKinds() const;

  TileSpace tiles;
  SpaceOptions options;
  /// All knobs in order.
  std::vector<KnobValues> knobs;
  /// For each of 1000 mutations, the index in `knobs` that it changes; -1 for a
  /// tile.
  std::vector<int8_t> mutated;
  /// Every knob with its first value, and no tiles.
  Schedule blank;
};

} // namespace pruner

#endif // PRUNER_SCHEDULE_SKETCHSPACE_H
