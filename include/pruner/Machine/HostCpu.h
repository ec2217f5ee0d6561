//===- HostCpu.h - the facts of the CPU we run on ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MACHINE_HOSTCPU_H
#define PRUNER_MACHINE_HOSTCPU_H

#include "pruner/Machine/Machine.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// Where `queryHostCpu` reads from; the defaults are the running system. Tests
/// and descriptions of other hosts give copies of the two trees instead.
struct HostCpuSources {
  std::string procRoot = "/proc";
  std::string sysRoot = "/sys";
  /// LLVM CPU name; unset = ask the processor.
  std::optional<std::string> cpuName;
  /// LLVM features by name; unset = ask the processor.
  std::optional<std::map<std::string, bool>> features;
  /// CPU numbers this process may run on; unset = its affinity mask.
  std::optional<std::vector<int>> allowedCpus;
  /// Ask the C library for caches that sysfs does not tell.
  bool askLibc = true;
  /// LLVM features that are not to be used, "avx512f"; those that need them
  /// are not, either.
  std::vector<std::string> without;
};

/// The host CPU as a machine called "cpu:<LLVM CPU name>", and with features
/// left out "cpu:<LLVM CPU name>-without-<feature>...": another machine, whose
/// records are no records of the host. Never fails: what a container or
/// virtual machine hides gets a default and a line in `notes`.
///
/// `units` is the number of CPUs in the affinity mask, lowered to the CPU quota
/// of the control group. `peakFlops` is a formula for one core,
///   2 FMA ports * lanes * 2 FLOP * clock,
/// (one port for cores whose 512-bit operations take two passes, mul + add for
/// cores without FMA); `measureFmaPeak` in the Runtime room measures it.
/// `memoryBandwidth` is assumed, 16 GB/s for one core.
Machine queryHostCpu(const HostCpuSources &sources = {});

} // namespace pruner

#endif // PRUNER_MACHINE_HOSTCPU_H
