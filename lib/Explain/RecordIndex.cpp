//===- RecordIndex.cpp - records by schedule ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordIndex.h"

#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Record/Choice.h"
#include "pruner/Sketch/Knob.h"

using namespace pruner;

RecordIndex::RecordIndex(const Subject &subject) {
  mlir::func::FuncOp function = subject.task.function;
  llvm::StringMap<std::optional<Schedule>> read;
  const Record *latest = nullptr;
  // As in Record/Choice.h: the latest comparison of either kind decides.
  for (const Record &record : subject.records)
    if (isOfFinal(record) && (!latest || parseTimestamp(record.timestamp) >=
                                             parseTimestamp(latest->timestamp)))
      latest = &record;
  if (latest)
    strategy = latest->strategy;
  for (const Record &record : subject.records) {
    bool decides = latest && isOfFinal(record) && record.runId == latest->runId;
    if (record.schedule == kDefaultSchedule)
      continue;
    auto [entry, first] = read.try_emplace(record.schedule);
    if (first)
      // Reading the records checked that it parses.
      if (ScheduleAttr schedule =
              parseScheduleText(record.schedule, function->getContext()))
        entry->second = schedule.getValue();
    if (!entry->second)
      continue;
    auto [number, fresh] =
        numbers.try_emplace(scheduleKey(*entry->second), list.size());
    if (fresh)
      list.push_back({*entry->second, {}, nullptr});
    list[number->second].records.push_back(&record);
    if (decides)
      list[number->second].final = &record;
  }
}

const RecordIndex::Entry *RecordIndex::find(const Schedule &schedule) const {
  auto found = numbers.find(scheduleKey(schedule));
  return found == numbers.end() ? nullptr : &list[found->second];
}

const Record *pruner::fastestTrial(const RecordIndex::Entry &entry) {
  const Record *best = nullptr;
  for (const Record *record : entry.records)
    if (!isOfFinal(*record) && record->status == MeasureStatus::Ok &&
        record->verified && medianTime(*record) &&
        (!best || *medianTime(*record) < *medianTime(*best)))
      best = record;
  return best;
}

Measured RecordIndex::measured(const Schedule &schedule) const {
  Measured known;
  const Entry *entry = find(schedule);
  if (!entry)
    return known;
  for (const Record *record : entry->records) {
    known.trials += !isOfFinal(*record);
    if (record->status != MeasureStatus::Ok &&
        record->status != MeasureStatus::Unmeasured) {
      known.failure = record->status;
      known.reason = record->reason;
    }
  }
  const Record *trial = fastestTrial(*entry);
  if (trial)
    known.trialSeconds = medianTime(*trial);
  if (entry->final)
    known.finalSeconds = medianTime(*entry->final);
  if (const Record *of = known.finalSeconds ? entry->final : trial) {
    known.spread = timeSpread(*of);
    known.times = of->times.size();
  }
  return known;
}
