//===- DatasetView.h - datasets as tasks with schedules ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What models are judged by and trained on: the records of a machine's tasks,
// read, gathered over files and parts.
//
//===----------------------------------------------------------------------===//

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
  /// The median over the repetitions of all its records that did not fail;
  /// nothing if all did.
  std::optional<double> seconds;
  /// How the first of its records that failed did.
  MeasureStatus status = MeasureStatus::Ok;
  /// See DatasetRecord; those of the first record.
  std::string primitives;
};

/// A task on a machine, by one number of threads. Its schedules, or variants,
/// are all different and in the order of their first records.
struct MeasuredTask {
  std::string name, key, kind; ///< See `taskKind`, `taskKey`.
  TaskDesc desc;
  const Machine *machine = nullptr;
  int64_t threads = 0;   ///< Of CPUs ("threads=" in variants); 0: all cores.
  CacheState caches;     ///< That of its first record ("caches=").
  std::string toolchain; ///< What made code of the schedules.
  std::vector<MeasuredSchedule> schedules;
  size_t records = 0;
  /// The parts that its records are in, by what these say of themselves
  /// (`DatasetOrigin::source`): the networks that it is a task of.
  std::set<std::string> sources;
};

struct DatasetView {
  std::vector<std::unique_ptr<Machine>> machines;
  /// By machine, then kind, then in the order of the files.
  std::vector<MeasuredTask> tasks;
  /// Where the measurements come from, part by part, as the files say.
  std::set<std::string> sources;
  /// What was left out, file by file.
  std::vector<std::pair<std::string, std::vector<BadLine>>> bad;
};

/// The rule for which no program can be made of a schedule: one of those of
/// `checkScheduleShape`, that the sketch is for the machine, or one of vectors
/// (R8, R17). Other rules keep a program from being built or run, not from
/// being looked at.
MaybeViolation checkProgramExists(const TaskDesc &task,
                                  const Schedule &schedule,
                                  const Machine &machine);

/// What a task computes most of, as text: the extents of its anchor (those of
/// reductions after "r") and the bytes of an element, "512x512xr1024x4B",
/// without epilogue, prologues and names. Tasks of one structure have schedules
/// that are fast for the same reasons: a split of data for training and testing
/// must not part them.
std::string taskStructure(const TaskDesc &task);

/// Reads datasets. A record is left out if its schedule is none, or no program
/// can be made of it.
llvm::Expected<DatasetView> readDatasets(llvm::ArrayRef<llvm::StringRef> paths);

} // namespace pruner

#endif // PRUNER_DATASET_DATASETVIEW_H
