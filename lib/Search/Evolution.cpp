//===- Evolution.cpp - the evolutionary search ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Evolution.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

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
  // A twentieth of the range lets the worst be drawn, too.
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
    const Schedule *schedule;
    float score;
  };
  std::vector<Entry> met;
  llvm::DenseMap<const Schedule *, unsigned, SchedulePointee> numbers;
  numbers.reserve((1 + options.generations) *
                  std::max<size_t>(start.size(), options.population));
  Evolved out;
  // Kept to the end, because the set of known schedules points into them.
  std::vector<std::vector<Schedule>> generations;
  generations.reserve(1 + options.generations);
  generations.push_back(std::move(start));
  while (!generations.back().empty()) {
    const std::vector<Schedule> &generation = generations.back();
    size_t before = met.size();
    std::vector<unsigned> members;
    std::vector<const Schedule *> fresh;
    for (const Schedule &schedule : generation) {
      auto [number, isNew] = numbers.try_emplace(&schedule, met.size());
      members.push_back(number->second);
      if (!isNew)
        continue;
      met.push_back({&schedule, 0});
      fresh.push_back(&schedule);
    }
    out.evaluations += generation.size();
    for (auto [number, value] : llvm::enumerate(score(fresh)))
      met[before + number].score = value;
    if (generations.size() > options.generations)
      break;
    std::vector<float> scores;
    for (unsigned member : members)
      scores.push_back(met[member].score);
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
    generations.push_back(std::move(children));
  }
  llvm::erase_if(met,
                 [](const Entry &each) { return !std::isfinite(each.score); });
  llvm::stable_sort(
      met, [](const Entry &a, const Entry &b) { return a.score > b.score; });
  met.resize(std::min<size_t>(met.size(), options.keep));
  for (const Entry &entry : met) {
    out.schedules.push_back(*entry.schedule);
    out.scores.push_back(entry.score);
  }
  return out;
}
