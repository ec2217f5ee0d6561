//===- Evolution.cpp - the genetic algorithm ------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Search/Evolution.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace pruner;

Roulette::Roulette(llvm::ArrayRef<float> scores) {
  double least = 0, most = 0;
  bool any = false;
  for (float score : scores) {
    if (!std::isfinite(score))
      continue;
    least = any ? std::min<double>(least, score) : score;
    most = any ? std::max<double>(most, score) : score;
    any = true;
  }
  // A twentieth of the range keeps the worst in play.
  double shift = least < 0 ? (most - least) / 20 - least : 0;
  bool flat = !any || most == least;
  double total = 0;
  prefix.reserve(scores.size());
  for (float score : scores) {
    double weight = flat ? (!any || std::isfinite(score) ? 1 : 0)
                         : (std::isfinite(score) ? score + shift : 0);
    total += weight;
    prefix.push_back(total);
  }
}

size_t Roulette::draw(Random &random) const {
  double at = random.uniformReal() * prefix.back();
  size_t index = llvm::upper_bound(prefix, at) - prefix.begin();
  return std::min(index, prefix.size() - 1);
}

Evolved pruner::evolve(const ScheduleSpace &space, std::vector<Schedule> start,
                       ScoreFunction score, const EvolutionOptions &options,
                       Random &random) {
  struct Entry {
    float score;
    unsigned order;
    Schedule schedule;
  };
  std::vector<Entry> met;
  std::set<std::string> keys;
  std::vector<Schedule> generation = std::move(start);
  for (unsigned g = 0; !generation.empty(); ++g) {
    std::vector<float> scores = score(generation);
    for (size_t i = 0; i < generation.size(); ++i)
      if (std::isfinite(scores[i]) &&
          keys.insert(scheduleKey(generation[i])).second)
        met.push_back({scores[i], unsigned(met.size()), generation[i]});
    if (g == options.generations)
      break;
    Roulette roulette(scores);
    std::vector<Schedule> children;
    children.reserve(options.population);
    while (children.size() < options.population) {
      const Schedule &parent = generation[roulette.draw(random)];
      std::optional<Schedule> child;
      if (random.uniformReal() < options.mutationProbability)
        child = space.mutate(parent, random);
      children.push_back(child ? std::move(*child) : parent);
    }
    generation = std::move(children);
  }
  llvm::sort(met, [](const Entry &a, const Entry &b) {
    return a.score != b.score ? a.score > b.score : a.order < b.order;
  });
  Evolved out;
  for (Entry &entry : met) {
    if (out.schedules.size() == options.keep)
      break;
    out.schedules.push_back(std::move(entry.schedule));
    out.scores.push_back(entry.score);
  }
  return out;
}
