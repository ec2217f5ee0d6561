//===- HostFiles.h - host properties from procfs and sysfs ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_MACHINE_HOSTFILES_H
#define PRUNER_LIB_MACHINE_HOSTFILES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pruner::detail {

using Notes = std::vector<std::string>;

struct CacheSizes {
  int64_t l1 = 0, l2 = 0, l3 = 0; ///< Bytes; l3 is 0 if there is none.
  int64_t line = 0;               ///< Bytes.
};

/// Reads the files of one host. Each function uses the first source that has
/// the value, or else a default, which it adds to the notes.
struct HostFiles {
  std::string procRoot, sysRoot;
  bool askLibc;

  CacheSizes caches(int cpu, Notes &notes) const;
  /// Highest known clock, MHz: from cpufreq; else the larger of the clock in
  /// the model name ("@ 2.60GHz") and the current clock of /proc/cpuinfo; else
  /// 2000.
  double clockMHz(int cpu, Notes &notes) const;
  /// CPUs that the control group may use at a time (v2 cpu.max, v1 cfs quota),
  /// or std::nullopt without a limit.
  std::optional<double> cpuQuota() const;
  /// Main memory, lowered to the control group's limit.
  int64_t memoryBytes(Notes &notes) const;

private:
  std::optional<std::string> read(const std::string &path) const;
};

/// The CPUs this process may use, ascending.
std::vector<int> affinityMask(Notes &notes);

} // namespace pruner::detail

#endif // PRUNER_LIB_MACHINE_HOSTFILES_H
