//===- Mutate.cpp - mutate schedules --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Schedule/SketchSpace.h"

#include <set>

using namespace pruner;

void SketchSpace::choose(const KnobValues &entry, unsigned position,
                         const Knob::Value &value, Schedule &s) const {
  entry.knob->choose(s, position, value);
  if (entry.isBeforeTiles())
    repair(s);
  else
    entry.knob->repair(task(), s);
}

void SketchSpace::mutateKnob(const KnobValues &entry, Schedule &s,
                             Random &random) const {
  unsigned partner = random.uniform(1 + entry.partners.size());
  const KnobValues &chosen =
      partner ? knobs[entry.partners[partner - 1]] : entry;
  if (chosen.positions.empty())
    return;
  unsigned position = random.uniform(chosen.positions.size());
  const auto &values = chosen.positions[position];
  choose(chosen, position, values[random.uniform(values.size())], s);
}

bool SketchSpace::mutateOnce(Schedule &s, Random &random) const {
  int knob = mutated[random.uniform(mutated.size())];
  if (knob >= 0) {
    mutateKnob(knobs[knob], s, random);
    return true;
  }
  if (!tiles.mutate(s, random))
    return false;
  repair(s);
  return true;
}

std::optional<Schedule> SketchSpace::mutate(const Schedule &schedule,
                                            Random &random) const {
  for (unsigned attempt = 0; attempt < options.attempts; ++attempt) {
    Schedule s = schedule;
    if (mutateOnce(s, random) && !(s == schedule) && isLegal(s))
      return s;
  }
  return std::nullopt;
}

std::optional<Schedule> SketchSpace::crossover(const Schedule &a,
                                               const Schedule &b,
                                               Random &random) const {
  auto fromB = [&] { return random.uniform(2) == 1; };
  auto alongVectors = [&](unsigned d) {
    return tiles.unitAlong(a, d) || tiles.unitAlong(b, d);
  };
  for (unsigned attempt = 0; attempt < options.attempts; ++attempt) {
    Schedule s = a;
    for (unsigned d = 0; d < s.tiles.size(); ++d)
      if (!alongVectors(d) && fromB())
        s.tiles[d] = b.tiles[d];
    // The vector width and the tiles along it change together.
    bool vectorsOfB = fromB();
    for (unsigned d = 0; d < s.tiles.size(); ++d)
      if (vectorsOfB && alongVectors(d))
        s.tiles[d] = b.tiles[d];
    for (const KnobValues &entry : knobs) {
      if (!entry.isDrawn())
        continue;
      for (unsigned p = 0; p < entry.positions.size(); ++p)
        if (entry.isBeforeTiles() ? vectorsOfB : fromB())
          entry.knob->copy(s, b, p);
      entry.knob->repair(task(), s);
    }
    sketch().adjust(task(), s);
    if (isLegal(s))
      return s;
  }
  return std::nullopt;
}

std::vector<Schedule> SketchSpace::neighbors(const Schedule &schedule) const {
  std::vector<Schedule> found;
  std::set<std::string> seen{scheduleKey(schedule)};
  auto keep = [&](Schedule s) {
    if (seen.insert(scheduleKey(s)).second && isLegal(s))
      found.push_back(std::move(s));
  };
  for (unsigned d = 0; d < schedule.tiles.size(); ++d)
    for (unsigned level = 0; level < schedule.tiles[d].size(); ++level) {
      int64_t left = tiles.remaining(d, schedule.tileSize(d, level + 1));
      for (int64_t factor :
           tiles.choices(d, level, left, tiles.unitAlong(schedule, d))) {
        Schedule s = schedule;
        s.tiles[d][level] = factor;
        repair(s);
        keep(std::move(s));
      }
    }
  for (const KnobValues &entry : knobs)
    for (unsigned p = 0; p < entry.positions.size(); ++p)
      for (const Knob::Value &value : entry.positions[p]) {
        Schedule s = schedule;
        choose(entry, p, value, s);
        keep(std::move(s));
      }
  return found;
}
