//===- TaskRecords.h - read and make the records of a task ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TASKRECORDS_TASKRECORDS_H
#define PRUNER_TASKRECORDS_TASKRECORDS_H

#include "pruner/Measure/WorkerPool.h"
#include "pruner/ModuleTasks/ModuleTask.h"

#include <map>

namespace pruner {

/// The valid records of one task in one environment (Database::select, minus
/// those that `problemOf` in RecordJudge.h rejects), in the order in which they
/// were stored.
struct TaskRecords {
  /// Records of the code that this build generates, verified by this build's
  /// method if verified at all, and timed in the cache state of the task.
  std::vector<Record> current;
  /// Like `current`, but timed in another cache state than the task's. The code
  /// is verified; only the times are not comparable.
  std::vector<Record> otherCacheStates;
  /// Records of another code generator, LLVM version or verification method.
  /// They suggest schedules but do not vouch for the code of this build.
  std::vector<Record> older;
  /// Number of trials of the current code for each status; filled only with
  /// `warn`.
  std::map<MeasureStatus, uint64_t> counts;
};

/// Reads the records of `task`. With `warn`, a warning at the task names each
/// record that is left out. With `unmeasured`, the result includes records that
/// were only predicted.
llvm::Expected<TaskRecords> readTaskRecords(Database &database,
                                            const Environment &environment,
                                            const ModuleTask &task,
                                            bool warn = false,
                                            bool unmeasured = false);

/// Returns the record to apply (see `chooseRecord`) among the current ones.
/// With `unmeasured` and without a verified record, returns the built record
/// that the analytical model of this build predicts to be fastest.
std::optional<Record> bestRecord(llvm::ArrayRef<Record> records,
                                 const Environment &environment,
                                 const ModuleTask &task, bool unmeasured);
llvm::Expected<std::optional<Record>> bestRecord(Database &database,
                                                 const Environment &environment,
                                                 const ModuleTask &task,
                                                 bool unmeasured);

/// Returns true if `a` is better than `b`, where both were built and not
/// measured: code without spills comes first, then the smaller predicted time.
bool betterPrediction(const Record &a, const Record &b);

/// Returns a record of `schedule` of `task` with all fields that follow from
/// the environment and this build. The outcome is not set.
Record blankRecord(const Environment &environment, const ModuleTask &task,
                   llvm::StringRef schedule);
/// Sets the status, times and facts from a measurement.
void setOutcome(Record &record, const MeasureResult &result);
/// Sets the fields that describe the verification.
void setVerdict(Record &record, const RunReply &run);
/// Clears the times and the verification.
void dropOutcome(Record &record);

/// Turns a record that the database would reject into a failure of its
/// candidate, so that the other records of the batch can be stored.
void makeStorable(Record &record);

/// Returns the request to a worker for this task. The worker rejects times that
/// no code can reach (TimeBound.h).
MeasureJob measureJob(const Environment &environment, const ModuleTask &task);

/// Warns at `location` of every damaged row of the database. In a database of
/// more than Database::kReadAsWhole records, only rows that are read are
/// checked, and the warning is emitted when they are read (`warnOfReadRows`).
llvm::Error warnOfBadRows(Database &database, mlir::Location location);
/// Warns of damaged rows that were read from such a large database.
llvm::Error warnOfReadRows(Database &database, llvm::ArrayRef<BadRow> rows,
                           mlir::Location location);

} // namespace pruner

#endif // PRUNER_TASKRECORDS_TASKRECORDS_H
