//===- ApplyRecords.h - from records to schedules ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_APPLYRECORDS_H
#define PRUNER_TUNE_APPLYRECORDS_H

#include "pruner/Measure/WorkerPool.h"
#include "pruner/Tune/TuneTask.h"

#include <map>

namespace pruner {

/// The records of one task in one environment that a choice depends on
/// (Database::select) and nothing speaks against (`problemOf` in
/// RecordJudge.h), in the order in which they were stored.
struct TaskRecords {
  /// Of the code that this build generates, and if verified, by the method that
  /// this build has; timed in the state of the caches that the task has.
  std::vector<Record> current;
  /// The same, but timed in another state of the caches than the task's: right,
  /// and good somewhere.
  std::vector<Record> elsewhere;
  /// Of another code generator, another LLVM or another method. They say which
  /// schedules were good, and nothing of whether they are right.
  std::vector<Record> older;
  /// How many trials of the current code there are, by how they ended; only
  /// with `warn`.
  std::map<MeasureStatus, uint64_t> counts;
};

/// With `warn`, what is left out is named by warnings at the task. With
/// `unmeasured`, records that were only predicted are among them.
llvm::Expected<TaskRecords> readTaskRecords(Database &database,
                                            const Environment &environment,
                                            const TuneTask &task,
                                            bool warn = false,
                                            bool unmeasured = false);

/// The record to apply (see `chooseRecord`) among the current ones; or with
/// `unmeasured`, if no verified one is there, the one that was built and that
/// the analytical model, asked now, thinks the fastest.
std::optional<Record> bestRecord(llvm::ArrayRef<Record> records,
                                 const Environment &environment,
                                 const TuneTask &task, bool unmeasured);
llvm::Expected<std::optional<Record>> bestRecord(Database &database,
                                                 const Environment &environment,
                                                 const TuneTask &task,
                                                 bool unmeasured);

/// Whether `a` is to be preferred to `b`, both built and not measured: code
/// without spills first, then the smaller predicted time.
bool betterPrediction(const Record &a, const Record &b);

/// The strategy of records that were measured because older ones spoke for
/// their schedules.
inline constexpr llvm::StringLiteral kReverifiedStrategy = "reverified";

/// A record of `schedule` of `task` with everything that the environment and
/// this build say of it; the outcome is left open.
Record blankRecord(const Environment &environment, const TuneTask &task,
                   llvm::StringRef schedule);
/// Fills the outcome in.
void setOutcome(Record &record, const MeasureResult &result);
/// Fills in what a comparison said of the code.
void setVerdict(Record &record, const RunReply &run);
/// Takes back all that a run may have said.
void dropOutcome(Record &record);

/// Makes a failure of its candidate out of what the database would refuse,
/// which says nothing about the others.
void makeStorable(Record &record);

/// What a worker is asked about the task. Times that no code reaches
/// (TimeBound.h) are refused, as they are of records.
MeasureJob measureJob(const Environment &environment, const TuneTask &task);

struct ApplyOptions {
  /// Also apply schedules that were only predicted.
  bool unmeasured = false;
  /// What is not there when a task is left as it was ("candidate").
  llvm::StringRef what;
  /// The pass that applies, a literal; optimisation remarks name it.
  llvm::StringRef pass;
  bool verboseRemarks = false;
  /// The workers that verify older records again; null where nothing can run.
  llvm::function_ref<WorkerPool *()> workers;
  /// Where the outcome is stored; null if it cannot be.
  llvm::function_ref<Database *()> store;
};

/// Puts the best record's schedule (`bestRecord`) on every task and returns how
/// many got one.
///
/// Where no current record speaks for a schedule or for the default, those of
/// other states of the caches decide. Where there are none of these either, the
/// best of the older ones is built, run against the reference and timed, once,
/// and its record stored; if it fails the next best, up to three. A remark says
/// so. Where nothing can run, with `unmeasured` the best older record is
/// applied as predicted ones are, and otherwise none.
///
/// The other tasks are left as they were. A remark says that no verified `what`
/// is faster than the untuned default, or that the task has no record for this
/// target and setting, and lists those it has records for. Errors of the
/// database are `fail`ed with; a record never is one.
mlir::FailureOr<unsigned>
applyBestRecords(Database &database, const Environment &environment,
                 llvm::ArrayRef<TuneTask> tasks, const ApplyOptions &options,
                 llvm::function_ref<mlir::LogicalResult(llvm::Error)> fail);

/// Warns at `location` of every row of the database that nothing is read from.
/// Of a database of more than Database::kReadAsWhole records only what is read
/// is checked, and named when it is.
llvm::Error warnOfBadRows(Database &database, mlir::Location location);
/// Warns of rows that were met in a database of more than that.
llvm::Error warnOfMetRows(Database &database, llvm::ArrayRef<BadRow> rows,
                          mlir::Location location);

} // namespace pruner

#endif // PRUNER_TUNE_APPLYRECORDS_H
