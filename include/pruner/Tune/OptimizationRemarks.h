//===- OptimizationRemarks.h - what became of tasks, for tools --*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of each task, told to MLIR's remark engine (mlir/IR/Remarks.h).
// Where the context has none, as without --remarks-filter, nothing is computed.
// Functions and lines are those of the tasks, seconds those of one call.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_OPTIMIZATIONREMARKS_H
#define PRUNER_TUNE_OPTIMIZATIONREMARKS_H

#include "pruner/Record/Choice.h"
#include "pruner/Tune/TuneTask.h"

namespace pruner {

/// `pass` is the one that speaks, a literal: the engine keeps no copy.
struct RemarkSource {
  const TuneTask &task;
  const Environment &environment;
  llvm::StringRef pass;

  /// Passed, "TaskScheduled": the record that is applied, beside the untuned
  /// default where there is its time. Then, "StatementLimit": what holds each
  /// statement of that schedule back, as the analytical model has it.
  void scheduled(const Record &record,
                 std::optional<double> defaultSeconds) const;
  /// Missed, "TaskUntuned", with the reason.
  void untuned(llvm::StringRef reason) const;
  /// Analysis, "FailedTrials": how many trials ended in which failure.
  void failures(const std::map<MeasureStatus, uint64_t> &trials) const;
};

} // namespace pruner

#endif // PRUNER_TUNE_OPTIMIZATIONREMARKS_H
