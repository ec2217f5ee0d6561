//===- DeviceFeatures.cpp - device features of latency models -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceFeatures.h"

#include <algorithm>
#include <cmath>

using namespace pruner;

/// \p most is mapped to 1.
static float scaled(double value, double unit, double most) {
  return float(std::log2(1 + std::max(0.0, value) / unit) /
               std::log2(1 + most / unit));
}

std::vector<float> pruner::deviceFeatures(const Machine &machine,
                                          int64_t threads) {
  bool gpu = machine.isGpu();
  double units = double(machine.units);
  if (!gpu && threads > 0)
    units = std::min(units, double(threads));
  double schedulers = double(std::max<int64_t>(1, machine.schedulersPerUnit));
  constexpr double kKiB = 1024, kMiB = kKiB * kKiB, kGiB = kMiB * kKiB;
  return {gpu ? 1.0f : 0.0f,
          scaled(machine.clockMHz, 100, 6400),
          scaled(machine.peakFlops * (gpu ? 1 : units), 1e9, 1e14),
          scaled(machine.memoryBandwidth, 1e9, 1e13),
          scaled(units, 1, 256),
          scaled(double(machine.lanes) * schedulers, 1, 256),
          scaled(double(machine.l1Bytes), kKiB, kMiB),
          scaled(double(machine.l2Bytes), 64 * kKiB, 128 * kMiB),
          scaled(double(machine.l3Bytes), kMiB, kGiB),
          scaled(double(machine.sharedBytesPerUnit), kKiB, kMiB),
          scaled(double(machine.memoryBytes), kGiB, 1024 * kGiB),
          scaled(double(machine.vectorBytes), 4, 256)};
}
