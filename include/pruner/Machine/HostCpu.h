//===- HostCpu.h - properties of the host CPU -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MACHINE_HOSTCPU_H
#define PRUNER_MACHINE_HOSTCPU_H

#include "pruner/Machine/Machine.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// The sources of `queryHostCpu`. The defaults are the running system. Tests
/// and descriptions of other hosts use copies of the two trees.
struct HostCpuSources {
  std::string procRoot = "/proc";
  std::string sysRoot = "/sys";
  /// LLVM CPU name; queried from the processor if not set.
  std::optional<std::string> cpuName;
  /// LLVM features by name; queried from the processor if not set.
  std::optional<std::map<std::string, bool>> features;
  /// CPU numbers that this process may use; its affinity mask if not set.
  std::optional<std::vector<int>> allowedCpus;
  /// Ask the C library for caches that sysfs does not list.
  bool askLibc = true;
  /// LLVM features to disable, such as "avx512f". Features that depend on them
  /// are disabled as well.
  std::vector<std::string> without;
};

/// Describes the host CPU as a machine with the name "cpu:<LLVM CPU name>".
/// With disabled features the name is "cpu:<LLVM CPU
/// name>-without-<feature>..."; this is another machine, and its records are
/// not used for the host. Never fails: a fact that a container or virtual
/// machine hides gets a default and a line in `notes`.
///
/// `units` is the number of CPUs in the affinity mask, lowered to the CPU quota
/// of the control group. `peakFlops` is a formula for one core,
///   2 FMA ports * lanes * 2 FLOP * clock,
/// with one port for cores whose 512-bit operations take two passes, and mul +
/// add for cores without FMA. `measureFmaPeak` (Runtime/FmaPeak.h) measures it.
/// `memoryBandwidth` is assumed to be 16 GB/s for one core.
Machine queryHostCpu(const HostCpuSources &sources = {});

} // namespace pruner

#endif // PRUNER_MACHINE_HOSTCPU_H
