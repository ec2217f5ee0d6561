//===- Roofline.cpp - the roofline of one core ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Roofline.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::bench;

double Probes::best() const {
  return readings.empty() ? 0 : *llvm::max_element(readings);
}

double Probes::steadiness() const {
  double fastest = best();
  return fastest > 0 ? *llvm::min_element(readings) / fastest : 1;
}

double Roofline::seconds() const {
  return std::max(computeSeconds, memorySeconds);
}

double Roofline::share(double measured, unsigned cores) const {
  return measured > 0 ? seconds() / (measured * cores) : 0;
}

const char *bench::memoryLevel(double bytes, const Machine &machine) {
  if (bytes <= double(machine.l1Bytes))
    return "L1";
  if (bytes <= double(machine.l2Bytes))
    return "L2";
  if (bytes <= double(machine.l3Bytes))
    return "L3";
  return "DRAM";
}

Roofline bench::roofline(double flops, double bytes, double flopRate,
                         double byteRate, const Machine &machine) {
  Roofline result;
  if (flopRate > 0)
    result.computeSeconds = flops / flopRate;
  if (byteRate > 0)
    result.memorySeconds = bytes / byteRate;
  result.bound = result.computeSeconds >= result.memorySeconds
                     ? "FMA"
                     : memoryLevel(bytes, machine);
  return result;
}
