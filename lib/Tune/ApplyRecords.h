//===- ApplyRecords.h - apply recorded schedules to tasks -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_APPLYRECORDS_H
#define PRUNER_LIB_TUNE_APPLYRECORDS_H

#include "pruner/TaskRecords/TaskRecords.h"

namespace pruner {

/// The strategy name of records that were measured to verify the schedule of an
/// older record again.
inline constexpr llvm::StringLiteral kReverifiedStrategy = "reverified";

struct ApplyOptions {
  /// Also apply schedules that were only predicted.
  bool unmeasured = false;
  /// The missing thing that the remark about an unchanged task names
  /// ("candidate").
  llvm::StringRef what;
  /// Name of the pass for optimization remarks; must be a literal.
  llvm::StringRef pass;
  bool verboseRemarks = false;
  /// Choose schedules without records for tasks that have none for this machine
  /// and these options (draftSchedule()).
  bool draft = false;
  /// Choose the fastest form of each part with several forms.
  bool chooseForms = true;
  /// Returns the workers that verify older records again; null if nothing can
  /// run.
  llvm::function_ref<WorkerPool *()> workers;
  /// Returns the database for new records; null if they cannot be stored.
  llvm::function_ref<Database *()> store;
};

/// Sets the schedule of the best record (`bestRecord`) on every task and
/// returns the number of tasks that got one.
///
/// If no current record decides for a schedule or for the default, records of
/// other cache states decide. If there are none, the best older record is
/// built, verified and timed once, and the new record is stored; if it fails,
/// the next best follows, up to three. A remark reports this. If nothing can
/// run, the best older record is applied like a predicted one with
/// `unmeasured`, and none without.
///
/// Where a part has several forms and no choice, the form whose tasks take the
/// least time is chosen (`timeForms`).
///
/// Other tasks stay unchanged. A remark says that no verified `what` is faster
/// than the untuned default, or that the task has no record for this target and
/// options, and lists the records that it has for others; or, with `draft`, a
/// warning says how many tasks have none. `fail` is called for
/// errors of the database; an invalid record is never an error.
mlir::FailureOr<unsigned>
applyBestRecords(Database &database, const Environment &environment,
                 llvm::ArrayRef<ModuleTask> tasks, const ApplyOptions &options,
                 llvm::function_ref<mlir::LogicalResult(llvm::Error)> fail);

} // namespace pruner

#endif // PRUNER_LIB_TUNE_APPLYRECORDS_H
