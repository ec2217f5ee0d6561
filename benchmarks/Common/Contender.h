//===- Contender.h - what takes part in a comparison ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_COMMON_CONTENDER_H
#define PRUNER_BENCHMARKS_COMMON_CONTENDER_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pruner::bench {

/// Some runs in a row, timed together.
struct Batch {
  int64_t runs = 0;
  /// Seconds of the whole batch, by the clock and as CPU time of the thread
  /// that calls (it takes part in the work, whatever the number of threads).
  double wall = 0, cpu = 0;
  /// Seconds that threads of the process waited for a CPU that something else
  /// had; negative if not asked for or where the system does not tell.
  double waited = -1;

  /// Whether nothing else ran on our CPUs for more than 3 % of the time.
  bool clean() const { return cpu >= 0.97 * wall && waited <= 0.03 * wall; }
};

/// How long to time in one go.
struct TimeRequest {
  double seconds = 0.05;       ///< Batches are taken until this has passed.
  double batchSeconds = 0.004; ///< A batch takes at least this, or one run.
  /// Fill Batch::waited. For work on several threads; of one thread, its CPU
  /// time says the same more precisely.
  bool watchThreads = false;
  /// If not 0: before each run so many bytes of other memory are read, which is
  /// not timed. A batch is one run then.
  size_t coldBytes = 0;
};

enum class Role {
  Tuned,  ///< The result that is judged.
  Own,    ///< Others of ours, to judge it by.
  Peer,   ///< Other software, same interface: plain operands in, result out.
  Packed, ///< Other software that got the constant operands ahead of time.
};

const char *roleName(Role role);

struct Contender {
  std::string name;
  std::string detail; ///< Version, kernel name, ...
  Role role = Role::Peer;
  unsigned threads = 1;
  llvm::json::Object facts; ///< What else the JSON result should hold.

  /// Runs once and checks the result. May be null: nothing to check.
  std::function<llvm::Error()> verify;
  std::function<llvm::Expected<std::vector<Batch>>(const TimeRequest &)> time;

  /// Filled by the run.
  std::string failure;
  std::vector<Batch> batches;
};

/// What a contender's batches come to, seconds per run.
struct Statistics {
  double median = 0, minimum = 0;
  double spread = 1; ///< median / minimum.
  size_t kept = 0, dropped = 0;
  double cpuShare = 0; ///< CPU time / wall time over all batches.
  /// Too few batches were clean: the numbers are CPU time of all of them.
  bool byCpu = false;
};

/// Over clean batches, or by CPU time if fewer than three are.
Statistics summarize(const std::vector<Batch> &batches);

/// The smallest of `values` that at least a share of `share` of them does not
/// exceed (nearest rank); the mean of two for the median of an even number. 0
/// if there are none.
double quantile(std::vector<double> values, double share);

/// The geometric mean of positive numbers; 0 if there are none. Values that are
/// not positive and finite are left out.
double geometricMean(const std::vector<double> &values);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_CONTENDER_H
