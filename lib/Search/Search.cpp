//===- Search.cpp - the common part of all searches -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Search.h"
#include "Descent.h"
#include "pruner/Support/Threads.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace pruner;

/// The number of `SingleThreaded` objects of this thread.
static thread_local unsigned numSingleThreaded = 0;

TaskSearch::SingleThreaded::SingleThreaded() { ++numSingleThreaded; }
TaskSearch::SingleThreaded::~SingleThreaded() { --numSingleThreaded; }

/// Calls `score` with the model and each number below `count`, on all cores.
static void forEach(const DraftModel &model, size_t count,
                    llvm::function_ref<void(DraftModel &, size_t)> score) {
  // Work in pieces, so that a thread reuses the memory of its model.
  constexpr size_t kChunk = 128;
  auto scoreChunk = [&](size_t chunk) {
    DraftModel own(model);
    size_t end = std::min(count, (chunk + 1) * kChunk);
    for (size_t i = chunk * kChunk; i < end; ++i)
      score(own, i);
  };
  size_t chunks = llvm::divideCeil(count, kChunk);
  if (!numSingleThreaded)
    return parallelFor(chunks, scoreChunk);
  for (size_t chunk = 0; chunk < chunks; ++chunk)
    scoreChunk(chunk);
}

TaskSearch::TaskSearch(const ScheduleSpace &space, CostModel *model,
                       SearchOptions options)
    : space(space), model(model), options(options),
      features(space.task(), space.machine(),
               model ? model->reads() : FeatureParts(), options.features,
               options.psa),
      draftModel(space.task(), space.machine(), options.psa) {}

std::vector<Trial> TaskSearch::propose(unsigned count) {
  report = {};
  std::vector<Trial> result;
  if (count > 0)
    for (Trial &candidate : proposeRound(count)) {
      if (result.size() == count)
        break;
      if (known.insert(scheduleKey(candidate.schedule)).second)
        result.push_back(std::move(candidate));
    }
  ++round;
  return result;
}

void TaskSearch::exclude(llvm::ArrayRef<Schedule> schedules) {
  for (const Schedule &schedule : schedules)
    known.insert(scheduleKey(schedule));
}

void TaskSearch::observe(llvm::ArrayRef<Trial> more) {
  for (const Trial &trial : more) {
    known.insert(scheduleKey(trial.schedule));
    trials.push_back(trial);
  }
}

void TaskSearch::resume(unsigned rounds, llvm::ArrayRef<Trial> earlier) {
  round = rounds;
  observe(earlier);
}

const Trial *TaskSearch::best() const {
  const Trial *best = nullptr;
  for (const Trial &trial : trials)
    if (trial.seconds && (!best || *trial.seconds < *best->seconds))
      best = &trial;
  return best;
}

Random TaskSearch::generator(Purpose purpose, unsigned ofRound) const {
  return Random(options.seed).fork(uint64_t(ofRound) * 8 + purpose);
}

std::vector<Schedule> TaskSearch::samples(unsigned count, Random &random) {
  std::vector<Schedule> result;
  // Elements must not move, because the set points to them.
  result.reserve(count);
  llvm::DenseSet<const Schedule *, SchedulePointee> drawn;
  drawn.reserve(count);
  // Small spaces are exhausted long before `count`.
  unsigned repeated = 0;
  while (result.size() < count && repeated < count) {
    std::optional<Schedule> schedule = space.sample(random);
    if (!schedule)
      break;
    result.push_back(std::move(*schedule));
    if (drawn.insert(&result.back()).second)
      continue;
    result.pop_back();
    ++repeated;
  }
  report.samples += result.size();
  return result;
}

std::vector<const Trial *> TaskSearch::fastest(unsigned count) const {
  std::vector<const Trial *> valid;
  for (const Trial &trial : trials)
    if (trial.seconds)
      valid.push_back(&trial);
  llvm::stable_sort(valid, [](const Trial *a, const Trial *b) {
    return *a->seconds < *b->seconds;
  });
  valid.resize(std::min<size_t>(count, valid.size()));
  return valid;
}

std::vector<Schedule> TaskSearch::bestMeasured(unsigned count) const {
  std::vector<Schedule> result;
  for (const Trial *trial : fastest(count))
    result.push_back(trial->schedule);
  return result;
}

void TaskSearch::addMeasured(std::vector<Schedule> &pool) const {
  llvm::append_range(
      pool, bestMeasured(unsigned(options.measuredShare * options.population)));
}

/// Returns the best `keep` distinct schedules of both, best first; ties go to
/// `first`.
static std::vector<Schedule> merge(Evolved first, Evolved second,
                                   unsigned keep) {
  std::vector<Schedule> merged;
  size_t a = 0, b = 0;
  while (merged.size() < keep) {
    if (b < second.schedules.size() &&
        llvm::is_contained(first.schedules, second.schedules[b])) {
      ++b;
      continue;
    }
    bool hasFirst = a < first.schedules.size();
    bool hasSecond = b < second.schedules.size();
    if (!hasFirst && !hasSecond)
      break;
    merged.push_back(hasFirst &&
                             (!hasSecond || first.scores[a] >= second.scores[b])
                         ? first.schedules[a++]
                         : std::move(second.schedules[b++]));
  }
  return merged;
}

std::vector<Schedule> TaskSearch::evolveDrafts(std::vector<Schedule> start,
                                               unsigned keep, Random &random) {
  EvolutionOptions evolution;
  evolution.population = options.population;
  evolution.generations = options.draftGenerations;
  evolution.mutationProbability = options.mutationProbability;
  evolution.keep = std::max(keep, options.descents);
  auto score = [&](SchedulePointers schedules) {
    return draftScores(schedules);
  };
  Evolved evolved = evolve(space, std::move(start), score, evolution, random);
  std::vector<Schedule> starts;
  if (std::optional<Schedule> standard = space.defaultSchedule())
    starts.push_back(std::move(*standard));
  llvm::append_range(
      starts, llvm::ArrayRef(evolved.schedules).take_front(options.descents));
  Evolved ends = descend(space, starts, score);
  report.draftEvaluations += evolved.evaluations + ends.evaluations;
  return merge(std::move(ends), std::move(evolved), keep);
}

Evolved TaskSearch::evolveLearned(std::vector<Schedule> start, unsigned count) {
  EvolutionOptions evolution;
  evolution.population = options.population;
  evolution.generations = options.learnedGenerations;
  evolution.mutationProbability = options.mutationProbability;
  // Keep enough, because the best include measured schedules.
  evolution.keep = 2 * count + unsigned(observed().size());
  Random random = generator(Verifying, round);
  Evolved evolved = evolve(
      space, std::move(start),
      [&](SchedulePointers schedules) { return modelScores(schedules); },
      evolution, random);
  if (model)
    report.modelEvaluations += evolved.evaluations;
  return evolved;
}

Trial TaskSearch::drafted(const Schedule &schedule, bool random) {
  Trial trial;
  trial.schedule = schedule;
  trial.random = random;
  trial.draftSeconds = draftSeconds(schedule);
  return trial;
}

double TaskSearch::draftSeconds(const Schedule &schedule) {
  return draftModel(schedule);
}

std::vector<float> TaskSearch::draftScores(SchedulePointers schedules) {
  std::vector<float> scores(schedules.size());
  forEach(draftModel, schedules.size(), [&](DraftModel &model, size_t i) {
    scores[i] = float(1 / model(*schedules[i]));
  });
  return scores;
}

std::vector<ProgramFeatures>
TaskSearch::featuresOf(SchedulePointers schedules) {
  std::vector<ProgramFeatures> programs(schedules.size());
  if (features.readsProgram()) {
    report.summaries += unsigned(schedules.size());
    forEach(draftModel, schedules.size(), [&](DraftModel &drafts, size_t i) {
      const Schedule &schedule = *schedules[i];
      programs[i] = features(schedule, drafts.summaryOf(schedule));
    });
  } else {
    forEach(draftModel, schedules.size(), [&](DraftModel &, size_t i) {
      programs[i] = features(*schedules[i]);
    });
  }
  return programs;
}

std::vector<float> TaskSearch::modelScores(SchedulePointers schedules) {
  if (!model || schedules.empty())
    return std::vector<float>(schedules.size(), 0);
  std::vector<float> scores = model->predict(featuresOf(schedules));
  // If the model fails, all scores are equal, so that no schedule is excluded.
  report.modelError = model->lastError();
  if (!report.modelError.empty() || scores.size() != schedules.size())
    scores.assign(schedules.size(), 0);
  return scores;
}

std::vector<Schedule>
TaskSearch::leastCertainFirst(std::vector<Schedule> schedules) {
  if (!model || !model->hasSpread())
    return schedules;
  std::vector<const Schedule *> pointers;
  for (const Schedule &schedule : schedules)
    pointers.push_back(&schedule);
  std::vector<float> spread = model->spread(featuresOf(pointers));
  if (spread.size() != schedules.size())
    return schedules;
  std::vector<size_t> order(schedules.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order,
                    [&](size_t a, size_t b) { return spread[a] > spread[b]; });
  std::vector<Schedule> sorted;
  for (size_t n : order)
    sorted.push_back(std::move(schedules[n]));
  return sorted;
}

std::vector<Trial> TaskSearch::mix(const std::vector<Schedule> &ranked,
                                   const std::vector<float> &scores,
                                   std::vector<Schedule> randoms,
                                   unsigned count) {
  unsigned wantRandom =
      std::min<unsigned>(count, unsigned(options.randomShare * count));
  if (wantRandom)
    randoms = leastCertainFirst(std::move(randoms));
  std::vector<Trial> result;
  std::set<std::string> taken;
  size_t nextRanked = 0, nextRandom = 0;
  auto take = [&](const std::vector<Schedule> &from, size_t &next,
                  bool random) {
    for (; next < from.size(); ++next) {
      if (isKnown(from[next]) || !taken.insert(scheduleKey(from[next])).second)
        continue;
      Trial candidate = drafted(from[next], random);
      if (model && !random)
        candidate.score = scores[next];
      result.push_back(std::move(candidate));
      ++next;
      return true;
    }
    return false;
  };
  while (result.size() < count - wantRandom && take(ranked, nextRanked, false))
    ;
  while (result.size() < count &&
         (take(randoms, nextRandom, true) || take(ranked, nextRanked, false)))
    ;
  scoreUnscored(result);
  return result;
}

void TaskSearch::scoreUnscored(std::vector<Trial> &candidates) {
  if (!model)
    return;
  std::vector<Trial *> unscored;
  std::vector<const Schedule *> schedules;
  for (Trial &candidate : candidates)
    if (!candidate.score) {
      unscored.push_back(&candidate);
      schedules.push_back(&candidate.schedule);
    }
  for (auto [candidate, score] :
       llvm::zip_equal(unscored, modelScores(schedules)))
    candidate->score = score;
}

Trial TaskSearch::judge(const Schedule &schedule) {
  std::vector<Trial> judged = {drafted(schedule)};
  scoreUnscored(judged);
  return std::move(judged.front());
}
