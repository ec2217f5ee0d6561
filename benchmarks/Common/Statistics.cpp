//===- Statistics.cpp - what batches come to ------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contender.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace pruner;
using namespace pruner::bench;

const char *bench::roleName(Role role) {
  switch (role) {
  case Role::Tuned:
    return "tuned";
  case Role::Own:
    return "own";
  case Role::Peer:
    return "peer";
  case Role::Packed:
    return "packed";
  }
  return "";
}

Statistics bench::summarize(const std::vector<Batch> &batches) {
  Statistics result;
  std::vector<double> kept, byCpu;
  double wall = 0, cpu = 0;
  for (const Batch &batch : batches) {
    wall += batch.wall;
    cpu += batch.cpu;
    byCpu.push_back(batch.cpu / double(batch.runs));
    if (batch.clean())
      kept.push_back(batch.wall / double(batch.runs));
  }
  result.kept = kept.size();
  result.dropped = batches.size() - kept.size();
  result.cpuShare = wall > 0 ? cpu / wall : 0;
  result.byCpu = kept.size() < 3;
  std::vector<double> &samples = result.byCpu ? byCpu : kept;
  if (samples.empty())
    return result;
  llvm::sort(samples);
  size_t half = samples.size() / 2;
  result.median = samples.size() % 2 ? samples[half]
                                     : (samples[half - 1] + samples[half]) / 2;
  result.minimum = samples.front();
  result.spread = result.median / result.minimum;
  return result;
}

double bench::geometricMean(const std::vector<double> &values) {
  double sum = 0;
  size_t count = 0;
  for (double value : values)
    if (value > 0 && std::isfinite(value)) {
      sum += std::log(value);
      ++count;
    }
  return count ? std::exp(sum / double(count)) : 0;
}
