//===- CoreWait.h - time that a process waits for a core --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_MEASURE_COREWAIT_H
#define PRUNER_LIB_MEASURE_COREWAIT_H

#include <cstdint>
#include <map>

namespace pruner {

/// The time during which a process was runnable but had no core, as counted by
/// the Linux scheduler (/proc/<pid>/task/*/schedstat). It distinguishes a slow
/// process from a starved one: neither sleeping nor running counts. Always 0 on
/// systems without this count.
class CoreWait {
public:
  /// Starts counting.
  explicit CoreWait(int pid);

  /// Seconds since construction that the longest waiting thread waited. Threads
  /// wait concurrently as well as for each other, so this is a lower bound of
  /// the time that the process lost.
  double seconds() const;

private:
  std::map<int, uint64_t> nanoseconds() const; ///< For each thread.

  int pid;
  std::map<int, uint64_t> before;
};

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_COREWAIT_H
