//===- Choice.cpp - choose a schedule by the records ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Record/Choice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace llvm;
using namespace pruner;

/// The smallest ratio of medians that counts as faster.
static constexpr double kNoise = 1.03;
/// The number of best schedules that are always finalists, and the maximum
/// including those within kNear of the best.
static constexpr size_t kBest = 3, kMost = 5;
static constexpr double kNear = 1.1;
/// A default slower than this times the best does not take part. It could not
/// change the result, and it may be very slow.
static constexpr double kReach = 2;

static double medianOf(ArrayRef<double> times) {
  Record record;
  record.times.assign(times.begin(), times.end());
  return *medianTime(record);
}

bool pruner::clearlyFaster(ArrayRef<double> times, ArrayRef<double> others) {
  if (times.empty() || others.empty() ||
      !(medianOf(times) * kNoise < medianOf(others)))
    return false;
  if (times.size() == 1 || others.size() == 1)
    return true;
  size_t turns = std::min(times.size(), others.size()), won = 0;
  for (size_t i = 0; i < turns; ++i)
    won += times[i] < others[i];
  return 4 * won >= 3 * turns;
}

/// Whether the schedule of the record may be applied.
static bool isGood(const Record &record) {
  return record.status == MeasureStatus::Ok && record.verified &&
         !record.times.empty() && isScheduleText(record.schedule);
}

static bool isDefault(const Record &record) {
  return record.schedule == kDefaultSchedule &&
         record.status == MeasureStatus::Ok && !record.times.empty();
}

static StringSet<> wrongSchedules(ArrayRef<Record> records) {
  StringSet<> wrong;
  for (const Record &record : records)
    if (record.status == MeasureStatus::WrongResult)
      wrong.insert(record.schedule);
  return wrong;
}

bool pruner::isOfFinal(const Record &record) {
  return record.strategy == kFinalStrategy ||
         record.strategy == kNetworkFinalStrategy;
}

/// The records of the latest comparison among those for which `isOne` holds.
/// One with an invalid time stamp counts as older than all others.
static std::vector<const Record *>
latestOf(ArrayRef<Record> records, function_ref<bool(const Record &)> isOne) {
  const Record *latest = nullptr;
  std::optional<int64_t> latestTime; // std::nullopt compares as the smallest.
  for (const Record &record : records) {
    if (!isOne(record))
      continue;
    std::optional<int64_t> time = parseTimestamp(record.timestamp);
    if (!latest || time >= latestTime) {
      latest = &record;
      latestTime = time;
    }
  }
  std::vector<const Record *> entries;
  for (const Record &record : records)
    if (latest && isOne(record) && record.runId == latest->runId)
      entries.push_back(&record);
  return entries;
}

std::vector<Record> pruner::latestFinal(ArrayRef<Record> records,
                                        StringRef strategy) {
  std::vector<Record> entries;
  for (const Record *record : latestOf(
           records, [&](const Record &r) { return r.strategy == strategy; }))
    entries.push_back(*record);
  return entries;
}

/// The default to compare `record` with: that of its own run, otherwise the
/// fastest.
static const Record *defaultFor(const Record &record,
                                ArrayRef<const Record *> records) {
  const Record *found = nullptr;
  bool own = false;
  for (const Record *other : records) {
    if (!isDefault(*other))
      continue;
    bool same = other->runId == record.runId;
    if (!found || (same && !own) ||
        (same == own && *medianTime(*other) < *medianTime(*found))) {
      found = other;
      own = same;
    }
  }
  return found;
}

Choice pruner::chooseRecord(ArrayRef<Record> records) {
  StringSet<> wrong = wrongSchedules(records);
  std::vector<const Record *> entries = latestOf(records, isOfFinal);
  bool final = !entries.empty();
  if (!final)
    for (const Record &record : records)
      entries.push_back(&record);
  const Record *best = nullptr;
  for (const Record *record : entries)
    if (isGood(*record) && !wrong.contains(record->schedule) &&
        (!best || *medianTime(*record) < *medianTime(*best)))
      best = record;
  Choice choice;
  const Record *untuned = nullptr;
  if (wrong.contains(kDefaultSchedule)) {
    // Its times are not meaningful.
  } else if (best) {
    untuned = defaultFor(*best, entries);
  } else {
    auto found = find_if(entries, [](auto *r) { return isDefault(*r); });
    untuned = found == entries.end() ? nullptr : *found;
  }
  if (untuned)
    choice.defaultSeconds = medianTime(*untuned);
  if (!best)
    return choice;
  // Only the times of a head-to-head comparison are interleaved. A record that
  // is not verified cannot win.
  bool faster =
      !untuned || !untuned->verified ||
      (final ? clearlyFaster(best->times, untuned->times)
             : clearlyFaster(*medianTime(*best), *medianTime(*untuned)));
  if (!faster) {
    choice.keptDefault = true;
    choice.seconds = choice.defaultSeconds;
    return choice;
  }
  choice.record = *best;
  choice.seconds = medianTime(*best);
  return choice;
}

CallTimes pruner::callTimes(ArrayRef<Record> records) {
  CallTimes times;
  std::vector<Record> alone;
  copy_if(records, std::back_inserter(alone), [](const Record &record) {
    return record.strategy != kNetworkFinalStrategy;
  });
  const Choice choice = chooseRecord(alone);
  if (std::optional<double> seconds =
          choice.seconds ? choice.seconds : choice.defaultSeconds)
    times.alone = *seconds;
  const Choice applied = chooseRecord(records);
  if (!applied.record)
    return times;
  std::vector<const Record *> inNetworks;
  for (const Record &record : records)
    if (record.strategy == kNetworkFinalStrategy && isGood(record) &&
        record.schedule == applied.record->schedule)
      inNetworks.push_back(&record);
  std::reverse(inNetworks.begin(), inNetworks.end());
  // An invalid time stamp is older than all others.
  stable_sort(inNetworks, [](const Record *a, const Record *b) {
    return parseTimestamp(b->timestamp) < parseTimestamp(a->timestamp);
  });
  for (const Record *record : inNetworks)
    times.inNetworks.push_back({record->runId, *medianTime(*record)});
  return times;
}

std::vector<std::string> pruner::finalists(ArrayRef<Record> records) {
  StringSet<> wrong = wrongSchedules(records);
  std::map<std::string, double> times; // The best time of each schedule.
  std::optional<double> untuned;
  for (const Record &record : records) {
    if (isOfFinal(record))
      continue;
    std::optional<double> time = medianTime(record);
    if (isDefault(record) && !wrong.contains(kDefaultSchedule))
      untuned = std::min(untuned.value_or(*time), *time);
    if (!isGood(record) || wrong.contains(record.schedule))
      continue;
    auto [entry, first] = times.insert({record.schedule, *time});
    if (!first)
      entry->second = std::min(entry->second, *time);
  }
  std::vector<std::pair<double, std::string>> ranked;
  for (const auto &[schedule, time] : times)
    ranked.push_back({time, schedule});
  llvm::sort(ranked);
  std::vector<std::string> chosen;
  for (const auto &[time, schedule] : ranked)
    if (chosen.size() < kBest ||
        (chosen.size() < kMost && time <= kNear * ranked.front().first))
      chosen.push_back(schedule);
  if (chosen.empty())
    return chosen;
  Choice present = chooseRecord(records);
  if (present.record && !is_contained(chosen, present.record->schedule))
    chosen.push_back(present.record->schedule);
  if (untuned && *untuned <= kReach * ranked.front().first)
    chosen.push_back(kDefaultSchedule.str());
  return chosen;
}

bool pruner::hadFinal(ArrayRef<Record> records, StringRef strategy,
                      ArrayRef<std::string> schedules) {
  std::vector<Record> entries = latestFinal(records, strategy);
  return !entries.empty() && all_of(schedules, [&](const std::string &text) {
    return any_of(entries, [&](auto &r) { return r.schedule == text; });
  });
}
