//===- CompileTimeReport.h - medians and percentiles of stages --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMEREPORT_H
#define PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMEREPORT_H

#include "CompileTimes.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner::bench {

/// Prints one line for the candidates of a task.
void printProgress(llvm::raw_ostream &os, const TaskTimes &times);

/// For each target prints a table of operations and one of groups of
/// operations: every stage's median, the median and the 99th percentile of the
/// total, in milliseconds of CPU time, and the total in wall time. Then, over
/// all operations, the median, the 90th and the 99th percentile of every stage
/// and every pass, their shares of the sum, and the slowest candidates.
void printTables(llvm::raw_ostream &os, llvm::ArrayRef<TaskTimes> tasks);

/// `tasks`, with every candidate, and `summary`.
llvm::json::Object toJson(llvm::ArrayRef<TaskTimes> tasks);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMEREPORT_H
