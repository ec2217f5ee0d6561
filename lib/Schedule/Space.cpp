//===- Space.cpp - the sketches of a task ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Schedule/Space.h"

#include "pruner/Analysis/DraftModel.h"

#include "llvm/ADT/DenseSet.h"

#include <deque>
#include <numeric>

using namespace pruner;

ScheduleSpace::ScheduleSpace(TaskDesc task, Machine machine,
                             SpaceOptions options)
    : taskDesc(std::move(task)), device(std::move(machine)) {
  auto add = [&](bool fitting) {
    for (const Sketch *sketch : allSketches())
      if (sketch->gpu == device.isGpu() && !sketch->fits(taskDesc) == fitting) {
        spaces.emplace_back(taskDesc, device, *sketch, options);
        shares.push_back(sketch->share(taskDesc));
      }
  };
  add(/*fitting=*/true);
  // If no sketch fits, the spaces have no legal schedule.
  if (spaces.empty())
    add(/*fitting=*/false);
}

const SketchSpace &ScheduleSpace::spaceOf(const Schedule &schedule) const {
  for (const SketchSpace &space : spaces)
    if (space.sketch().id == schedule.sketch)
      return space;
  return spaces.front();
}

double ScheduleSpace::size() const {
  double sum = 0;
  for (const SketchSpace &space : spaces)
    sum += space.size();
  return sum;
}

std::optional<Schedule> ScheduleSpace::at(uint64_t index) const {
  for (const SketchSpace &space : spaces) {
    auto points = uint64_t(space.size());
    if (index < points)
      return space.at(index);
    index -= points;
  }
  return std::nullopt;
}

std::optional<Schedule> ScheduleSpace::sample(Random &random,
                                              RejectionStats *stats) const {
  if (spaces.size() == 1)
    return spaces.front().sample(random, stats);
  unsigned draw = random.uniform(
               std::accumulate(shares.begin(), shares.end(), 0u)),
           first = 0;
  while (first + 1 < spaces.size() && draw >= shares[first])
    draw -= shares[first++];
  for (unsigned n = 0; n < spaces.size(); ++n)
    if (auto schedule =
            spaces[(first + n) % spaces.size()].sample(random, stats))
      return schedule;
  return std::nullopt;
}

void ScheduleSpace::sampleDistinct(
    uint64_t count, Random &random,
    llvm::function_ref<void(const Schedule &)> take) const {
  std::deque<Schedule> drawn; // Elements must not move: the set points to them.
  llvm::DenseSet<const Schedule *, SchedulePointee> seen;
  uint64_t repeated = 0;
  for (uint64_t draw = 0; drawn.size() < count && draw / 4 < count; ++draw) {
    std::optional<Schedule> schedule = sample(random);
    if (!schedule)
      return;
    drawn.push_back(std::move(*schedule));
    if (seen.insert(&drawn.back()).second) {
      repeated = 0;
      take(drawn.back());
      continue;
    }
    drawn.pop_back();
    // If as many schedules were left as are known, each draw would find a new
    // one with a probability of about one half.
    if (++repeated > 256 + 4 * uint64_t(drawn.size()))
      return;
  }
}

std::optional<Schedule> ScheduleSpace::mutate(const Schedule &schedule,
                                              Random &random) const {
  return spaceOf(schedule).mutate(schedule, random);
}

std::optional<Schedule> ScheduleSpace::crossover(const Schedule &a,
                                                 const Schedule &b,
                                                 Random &random) const {
  if (a.sketch != b.sketch)
    return random.uniform(2) ? a : b;
  return spaceOf(a).crossover(a, b, random);
}

std::vector<Schedule> ScheduleSpace::neighbors(const Schedule &schedule) const {
  return spaceOf(schedule).neighbors(schedule);
}

std::optional<Schedule> ScheduleSpace::adopt(const Schedule &schedule) const {
  for (const SketchSpace &space : spaces)
    if (auto adopted = space.adopt(schedule))
      return adopted;
  return std::nullopt;
}

std::optional<Schedule> ScheduleSpace::defaultSchedule() const {
  if (spaces.size() == 1)
    return spaces.front().defaultSchedule();
  std::optional<Schedule> best;
  double bestSeconds = 0;
  DraftModel model(taskDesc, device);
  for (const SketchSpace &space : spaces) {
    std::optional<Schedule> schedule = space.defaultSchedule();
    if (!schedule)
      continue;
    double seconds = model(*schedule);
    if (!best || seconds < bestSeconds) {
      best = std::move(schedule);
      bestSeconds = seconds;
    }
  }
  return best;
}

std::string ScheduleSpace::describe() const {
  std::string text;
  for (const SketchSpace &space : spaces)
    text += space.describe();
  return text;
}
