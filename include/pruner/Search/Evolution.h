//===- Evolution.h - the evolutionary search --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SEARCH_EVOLUTION_H
#define PRUNER_SEARCH_EVOLUTION_H

#include "pruner/Schedule/Space.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace pruner {

/// Draws indices with probabilities proportional to their scores. If a score is
/// negative, all are shifted so that the worst index is drawn rarely instead of
/// never. An index without a finite score is drawn only if no score is finite;
/// then, and if all scores are equal, every index is equally likely. (The
/// released code clips at zero, which excludes parents with negative scores and
/// divides zero by zero if there are no others.)
class Roulette {
public:
  explicit Roulette(llvm::ArrayRef<float> scores);
  size_t draw(Random &random) const;

private:
  std::vector<double> prefix;
};

struct EvolutionOptions {
  unsigned population = 1536;
  /// Generations after the first.
  unsigned generations = 2;
  double mutationProbability = 0.85;
  /// The number of distinct schedules to return.
  unsigned keep = 512;
};

struct Evolved {
  std::vector<Schedule> schedules; ///< Best first.
  std::vector<float> scores;
  /// Schedules in all generations, with repetitions.
  unsigned evaluations = 0;
};

using SchedulePointers = llvm::ArrayRef<const Schedule *>;
/// Scores schedules. All schedules of all calls are distinct.
using ScoreFunction =
    llvm::function_ref<std::vector<float>(SchedulePointers schedules)>;

/// Scores `start`, creates new generations by mutation and returns the best
/// distinct schedules of all generations. Ties go to the schedule that came
/// first. Schedules with scores of -infinity or NaN never survive.
Evolved evolve(const ScheduleSpace &space, std::vector<Schedule> start,
               ScoreFunction score, const EvolutionOptions &options,
               Random &random);

} // namespace pruner

#endif // PRUNER_SEARCH_EVOLUTION_H
