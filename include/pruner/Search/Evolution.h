//===- Evolution.h - the genetic algorithm ----------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SEARCH_EVOLUTION_H
#define PRUNER_SEARCH_EVOLUTION_H

#include "pruner/Schedule/Space.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace pruner {

/// Draws indices with probabilities in proportion to scores. Scores that are
/// not finite are never drawn as long as any is finite. Where a score is
/// negative all are shifted, so that the worst is drawn rarely and not never;
/// where all are equal, or none is finite, every index is equally likely. (The
/// released code clips at zero, which leaves parents with negative scores out
/// and divides zero by zero when there are no others.)
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
  /// Distinct schedules that are returned.
  unsigned keep = 512;
};

struct Evolved {
  std::vector<Schedule> schedules; ///< Best first.
  std::vector<float> scores;
  /// Of all generations, repeated ones as well.
  unsigned evaluations = 0;
};

using SchedulePointers = llvm::ArrayRef<const Schedule *>;
/// Scores schedules that differ from each other and from those before.
using ScoreFunction =
    llvm::function_ref<std::vector<float>(SchedulePointers schedules)>;

/// Scores `start`, makes new generations by mutation and returns the best
/// distinct schedules of all. Of equal scores the one met first is better.
/// Scores of -infinity and NaN never survive.
Evolved evolve(const ScheduleSpace &space, std::vector<Schedule> start,
               ScoreFunction score, const EvolutionOptions &options,
               Random &random);

} // namespace pruner

#endif // PRUNER_SEARCH_EVOLUTION_H
