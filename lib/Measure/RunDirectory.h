//===- RunDirectory.h - files that workers share ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_MEASURE_RUNDIRECTORY_H
#define PRUNER_LIB_MEASURE_RUNDIRECTORY_H

#include "pruner/Support/Subprocess.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace pruner {

/// The directory of one run. It holds temporary files of workers, which may be
/// killed before they remove them, and references, so that a worker that
/// replaces another, or returns to a task, does not compute them again.
///
/// It is removed when its owner ends, in any way: a process that outlives the
/// owner removes it (keepUntilOwnerDies). The owner holds a lock on it, so that
/// the next run can remove it if that process could not.
class RunDirectory {
public:
  /// Null if it cannot be created; workers do without it then. `keeper` is the
  /// path of pruner-worker.
  static std::unique_ptr<RunDirectory> create(const std::string &keeper,
                                              uint64_t maxReferenceBytes);
  RunDirectory(const RunDirectory &) = delete;
  RunDirectory &operator=(const RunDirectory &) = delete;
  ~RunDirectory();

  const std::string &path() const { return directory; }
  std::string references() const { return directory + "/references"; }
  /// Removes the oldest references until the rest fits. Must be called while no
  /// worker writes.
  void trim();

  /// Removes the directories of runs whose owners are dead. Returns their
  /// number.
  static unsigned removeAbandoned();

private:
  RunDirectory() = default;

  std::string directory;
  int lock = -1;
  uint64_t maxReferenceBytes = 0;
  std::optional<Subprocess> keeper;
};

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_RUNDIRECTORY_H
