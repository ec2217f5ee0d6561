//===- Contender.h - a participant of a comparison --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// Consecutive runs that are timed together.
struct Batch {
  int64_t runs = 0;
  /// Seconds of the whole batch: wall time, and CPU time of the calling thread,
  /// which takes part in the work with any number of threads.
  double wall = 0, cpu = 0;
  /// Seconds that threads of the process waited for a CPU; negative if not
  /// requested or not available.
  double waited = -1;

  /// Whether other programs used the CPUs for at most 3 % of the time.
  bool clean() const { return cpu >= 0.97 * wall && waited <= 0.03 * wall; }
};

/// The duration of a measurement.
struct TimeRequest {
  double seconds = 0.05; ///< Batches are taken until this time has passed.
  /// A batch takes at least this long, or one run.
  double batchSeconds = 0.004;
  /// Fill in Batch::waited. For work on several threads; for one thread the CPU
  /// time is more precise.
  bool watchThreads = false;
  /// If not 0, this many bytes of other memory are read before each run,
  /// without being timed. A batch then is a single run.
  size_t coldBytes = 0;
};

enum class Role {
  Tuned,  ///< The result to be judged.
  Own,    ///< Other results of Pruner, for comparison.
  Peer,   ///< Other software, same interface: plain operands in, result out.
  Packed, ///< Other software that received the constant operands ahead of time.
};

const char *roleName(Role role);

struct Contender {
  std::string name;
  std::string detail; ///< Version, kernel name, ...
  Role role = Role::Peer;
  unsigned threads = 1;
  llvm::json::Object facts; ///< Further members of the JSON result.

  /// Runs once and checks the result. Null: nothing to check.
  std::function<llvm::Error()> verify;
  std::function<llvm::Expected<std::vector<Batch>>(const TimeRequest &)> time;

  /// Set by the run.
  std::string failure;
  std::vector<Batch> batches;
};

/// Statistics of a contender's batches, in seconds per run.
struct Statistics {
  double median = 0, minimum = 0;
  double spread = 1; ///< median / minimum.
  size_t kept = 0, dropped = 0;
  double cpuShare = 0; ///< CPU time / wall time over all batches.
  /// Too few batches were clean, so the numbers are the CPU time of all
  /// batches.
  bool byCpu = false;
};

/// Over clean batches, or by CPU time if there are fewer than three.
Statistics summarize(const std::vector<Batch> &batches);

/// The smallest of `values` that is not exceeded by at least the share `share`
/// of them (nearest rank); for the median of an even number the mean of two. 0
/// if there are none.
double quantile(std::vector<double> values, double share);

/// The geometric mean of positive numbers; 0 if there are none. Ignores values
/// that are not positive and finite.
double geometricMean(const std::vector<double> &values);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_CONTENDER_H
