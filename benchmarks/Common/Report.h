//===- Report.h - output of comparisons -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMMON_REPORT_H
#define PRUNER_BENCHMARKS_COMMON_REPORT_H

#include "Contender.h"
#include "Roofline.h"

#include "llvm/Support/raw_ostream.h"

namespace pruner::bench {

/// A contender with the statistics of its batches.
struct Row {
  const Contender *contender;
  Statistics statistics;

  /// Whether it has a time.
  bool usable() const {
    return contender->failure.empty() && statistics.median > 0;
  }
};

std::vector<Row> rowsOf(const std::vector<Contender> &contenders);

/// `value` by a printf format.
std::string formatNumber(const char *format, double value);

/// Name, role, statistics, batches and facts of a contender, or its failure.
llvm::json::Object toJson(const Row &row);

llvm::json::Array toJson(const Probes &probes);

/// Prints the readings of the rate of `instruction` in one line.
void printRoofs(llvm::raw_ostream &os, const Probes &flops,
                llvm::StringRef instruction);

/// The head of every result: the benchmark's name, time, command, commit,
/// toolchain and machine. Call it before the process is bound to CPUs.
llvm::json::Object describeRun(llvm::StringRef benchmark,
                               std::string commandLine);

/// The load average of one, five and fifteen minutes.
llvm::json::Array loadAverage();

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_REPORT_H
