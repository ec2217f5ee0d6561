//===- DatasetView.h - tasks and schedules of datasets ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The measured schedules of several datasets, grouped by task. Models are
// evaluated and trained on this view.

#ifndef PRUNER_DATASET_DATASETVIEW_H
#define PRUNER_DATASET_DATASETVIEW_H

#include "pruner/Dataset/Dataset.h"
#include "pruner/Program/CacheState.h"
#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"
#include "pruner/Sketch/Violation.h"

#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <optional>
#include <set>

namespace pruner {

/// A schedule of a task, or a variant of it (see DatasetRecord), with all its
/// measurements.
struct MeasuredSchedule {
  Schedule schedule;
  /// The median over the repetitions of all successful records. Nothing if all
  /// failed.
  std::optional<double> seconds;
  /// The status of the first failed record.
  MeasureStatus status = MeasureStatus::Ok;
  /// See DatasetRecord; taken from the first record.
  std::string primitives;
};

/// A task on a machine with a given number of threads. Its schedules and
/// variants are distinct and in the order of their first records.
struct MeasuredTask {
  std::string name, key, kind; ///< See `taskKind`, `taskKey`.
  TaskDesc desc;
  const Machine *machine = nullptr;
  /// Threads of CPUs ("threads=" in variants); 0: all cores.
  int64_t threads = 0;
  CacheState caches;     ///< Cache state of the first record ("caches=").
  std::string toolchain; ///< The compiler of the schedules.
  std::vector<MeasuredSchedule> schedules;
  size_t records = 0;
  /// The sources (`DatasetOrigin::source`) of the parts that contain its
  /// records, which are the networks that contain the task.
  std::set<std::string> sources;
};

struct DatasetView {
  std::vector<std::unique_ptr<Machine>> machines;
  /// Sorted by machine, then kind, then file order.
  std::vector<MeasuredTask> tasks;
  /// The sources of all parts.
  std::set<std::string> sources;
  /// The skipped lines of each file.
  std::vector<std::pair<std::string, std::vector<BadLine>>> bad;
};

/// Returns the rule because of which no program can be built from a schedule:
/// one of `checkScheduleShape`, a sketch that the machine does not support, or
/// a rule of vectors (R8, R17). Violations of other rules are ignored, because
/// such programs can still be analyzed.
MaybeViolation checkProgramExists(const TaskDesc &task,
                                  const Schedule &schedule,
                                  const Machine &machine);

/// The shape of a task as text: the extents of its anchor (reductions after
/// "r") and the bytes of an element, "512x512xr1024x4B". Epilogue, prologues
/// and names are ignored. The fastest schedules of tasks with the same shape
/// are similar, so a split into training and test data must not separate them.
std::string taskShape(const TaskDesc &task);

/// Reads datasets. Skips records with an invalid schedule or one without a
/// program.
llvm::Expected<DatasetView> readDatasets(llvm::ArrayRef<llvm::StringRef> paths);

} // namespace pruner

#endif // PRUNER_DATASET_DATASETVIEW_H
