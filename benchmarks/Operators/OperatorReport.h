//===- OperatorReport.h - results of a suite --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_OPERATORS_OPERATORREPORT_H
#define PRUNER_BENCHMARKS_OPERATORS_OPERATORREPORT_H

#include "Comparison.h"
#include "Operator.h"
#include "OwnKernels.h"
#include "Report.h"

namespace pruner::bench {

/// Seconds of calls with almost no work, by contender.
class CallTimes {
public:
  /// Keeps the minimum for each name.
  void add(llvm::ArrayRef<Contender> contenders);
  double of(const std::string &name) const;
  llvm::json::Object toJson() const;

private:
  std::map<std::string, double> seconds;
};

/// One operation, timed.
struct OperatorResult {
  Operator op;
  unsigned trials = 0, tasks = 0, applied = 0;
  llvm::json::Array taskFacts;
  std::string limit; ///< See OwnKernels.
  std::vector<Contender> contenders;
  /// FLOP/s, and bytes/s of reading as many bytes as the operation accesses.
  Probes flops, bytes;
  std::string instruction; ///< That of `flops`.
};

/// One operation in the tables.
struct OperatorSummary {
  std::vector<Row> rows;
  std::vector<PeerTime> peers; ///< Peers with a time.
  Roofline roof;               ///< The roofline of one core.
  const Row *tuned = nullptr, *kernels = nullptr, *plain = nullptr;
  const PeerTime *best = nullptr, *bestAtRunTime = nullptr;

  /// The share of the roofline of its cores that a contender reaches.
  double roofShare(const Row &row) const {
    return roof.share(row.statistics.median, row.contender->threads);
  }
};
/// Refers to `result`.
OperatorSummary summarize(const OperatorResult &result, const CallTimes &calls,
                          const Machine &machine);

/// Prints a line when an operation is finished.
void printProgress(llvm::raw_ostream &os, const OperatorResult &result,
                   const OperatorSummary &summary);

/// Prints a row for each contender of one operation.
void printContenders(llvm::raw_ostream &os, const OperatorResult &result,
                     const OperatorSummary &summary);

/// Prints the table of operations, the times of all peers, and the means.
void printSuite(llvm::raw_ostream &os, llvm::ArrayRef<OperatorResult> results,
                const CallTimes &calls, const Machine &machine);

/// "operators" and "summary".
llvm::json::Object toJson(llvm::ArrayRef<OperatorResult> results,
                          const CallTimes &calls, const Machine &machine);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_OPERATORREPORT_H
