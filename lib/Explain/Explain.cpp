//===- Explain.cpp - explain the choice of a schedule ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Explain/Explain.h"

#include "Explainer.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Record/Choice.h"
#include "pruner/TaskRecords/TaskRecords.h"

using namespace pruner;

/// Returns the value that decides between schedules: the comparison, else the
/// trials, else the prediction. A schedule without it comes last.
static std::tuple<int, double> standing(const Measured &measured,
                                        double predicted) {
  if (measured.finalSeconds)
    return {0, *measured.finalSeconds};
  if (measured.trialSeconds)
    return {1, *measured.trialSeconds};
  return {2, predicted};
}

/// Returns true if it was built and no result was wrong.
static bool isSound(const RecordIndex::Entry &entry) {
  auto had = [&](MeasureStatus status) {
    return llvm::any_of(entry.records,
                        [&](const Record *r) { return r->status == status; });
  };
  return !had(MeasureStatus::WrongResult) &&
         (had(MeasureStatus::Ok) || had(MeasureStatus::Unmeasured));
}

/// Returns the entries that can be applied, best first.
static std::vector<const RecordIndex::Entry *> ranked(Explainer &explainer) {
  std::vector<std::pair<std::tuple<int, double>, const RecordIndex::Entry *>>
      sound;
  for (const RecordIndex::Entry &entry : explainer.index.entries())
    if (isSound(entry))
      sound.push_back(
          {standing(explainer.index.measured(entry.schedule),
                    explainer.view(entry.schedule).predictedSeconds),
           &entry});
  llvm::stable_sort(sound, llvm::less_first());
  std::vector<const RecordIndex::Entry *> entries;
  for (const auto &[rank, entry] : sound)
    entries.push_back(entry);
  return entries;
}

static llvm::Expected<WhyNot> answer(Explainer &explainer,
                                     const ScheduleView &best,
                                     const std::string &text,
                                     WorkerPool *pool) {
  const Subject &subject = explainer.subject;
  mlir::func::FuncOp function = subject.task.function;
  llvm::Expected<ScheduleAttr> schedule =
      readScheduleText(text, function->getContext());
  if (!schedule)
    return llvm::createStringError("option 'why-not': " +
                                   llvm::toString(schedule.takeError()));
  WhyNot why;
  why.text = explainer.spell(schedule->getValue());
  why.broken = checkSchedule(subject.task.desc, schedule->getValue(),
                             subject.environment.machine);
  if (!why.broken)
    why.comparison = explainer.compare(best, schedule->getValue(), pool);
  return why;
}

llvm::Expected<Explanation> pruner::explain(const Subject &subject,
                                            const ExplainOptions &options) {
  Explainer explainer(subject);
  std::vector<const RecordIndex::Entry *> entries = ranked(explainer);
  if (entries.empty())
    return llvm::createStringError(
        "'" + subject.task.desc.name + "': none of its " +
        std::to_string(subject.records.size()) +
        " records has a schedule that can be applied");
  // The applied schedule comes first. If the default is applied, explain the
  // schedule that is nearest to it.
  Choice choice = chooseRecord(subject.records);
  if (!choice.record && !choice.keptDefault)
    choice.record = bestRecord(subject.records, subject.environment,
                               subject.task, /*unmeasured=*/true);
  if (choice.record)
    for (const RecordIndex::Entry *&entry : entries)
      if (llvm::any_of(entry->records, [&](const Record *record) {
            return record->schedule == choice.record->schedule;
          })) {
        std::rotate(&entries.front(), &entry, &entry + 1);
        break;
      }

  Explanation e;
  const Environment &environment = subject.environment;
  e.task = subject.task.desc.name;
  e.key = subject.task.key;
  e.target = environment.target.str();
  e.machine = environment.machine.name;
  e.options = environment.pipelineOptions();
  e.cacheState = subject.task.cacheState.str();
  e.flops = subject.task.flops;
  e.bytes = subject.task.bytes;
  e.records = subject.records.size();
  e.otherConditions = subject.otherConditions;
  e.current = subject.current;
  e.applied = choice.record.has_value();
  e.record = choice.record.value_or(Record());
  e.seconds = choice.seconds;
  e.defaultSeconds = choice.defaultSeconds;
  for (const Record &record : subject.records)
    if (record.schedule == kDefaultSchedule && !choice.defaultSeconds &&
        medianTime(record))
      e.defaultSeconds = std::min(
          e.defaultSeconds.value_or(*medianTime(record)), *medianTime(record));
  e.best = explainer.view(entries.front()->schedule);
  explainer.addCode(e.best, options.pool);
  e.neighbors = explainer.neighbors(e.best, options.neighbors);
  if (entries.size() > 1)
    e.runnerUp = explainer.compare(e.best, entries[1]->schedule, options.pool);
  e.certainty =
      explainer.certainty(e.best, e.runnerUp ? &*e.runnerUp : nullptr);
  for (const std::string &text : options.whyNot) {
    llvm::Expected<WhyNot> why = answer(explainer, e.best, text, options.pool);
    if (!why)
      return why.takeError();
    e.whyNot.push_back(std::move(*why));
  }
  return e;
}
