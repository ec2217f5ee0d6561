//===- CoreWait.h - how long a process waited for a core --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_MEASURE_COREWAIT_H
#define PRUNER_LIB_MEASURE_COREWAIT_H

#include <cstdint>
#include <map>

namespace pruner {

/// The time that a process could have worked and had no core to work on, as the
/// Linux scheduler counts it (/proc/<pid>/task/*/schedstat). It tells a slow
/// process from a starved one: sleeping does not count, and neither does
/// working. Always 0 on systems that do not count it.
class CoreWait {
public:
  /// Starts counting.
  explicit CoreWait(int pid);

  /// Seconds since then of the thread that waited longest. Threads wait at the
  /// same time as well as for each other; the longest wait is a lower bound of
  /// what the process lost.
  double seconds() const;

private:
  std::map<int, uint64_t> nanoseconds() const; ///< By thread.

  int pid;
  std::map<int, uint64_t> before;
};

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_COREWAIT_H
