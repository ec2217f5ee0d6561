//===- CompileTimeReport.h - medians and tails of stages --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMEREPORT_H
#define PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMEREPORT_H

#include "CompileTimes.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner::bench {

/// One line for what was built of a task.
void printProgress(llvm::raw_ostream &os, const TaskTimes &times);

/// For each target a table of operations, and one of groups of them: every
/// stage's median, the median and the 99th percentile of the total, all in
/// milliseconds of CPU time, and the same of wall time for the total. Then over
/// all operations the median, the 90th and the 99th percentile of every stage
/// and every pass and their shares of the sum, and the slowest candidates.
void printTables(llvm::raw_ostream &os, llvm::ArrayRef<TaskTimes> tasks);

/// `tasks`, with every candidate, and `summary`.
llvm::json::Object toJson(llvm::ArrayRef<TaskTimes> tasks);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMEREPORT_H
