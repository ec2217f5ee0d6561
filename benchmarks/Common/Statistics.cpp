//===- Statistics.cpp - statistics of batches -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Contender.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
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
  result.median = quantile(samples, 0.5);
  result.minimum = *llvm::min_element(samples);
  result.spread = result.median / result.minimum;
  return result;
}

double bench::quantile(std::vector<double> values, double share) {
  if (values.empty())
    return 0;
  llvm::sort(values);
  size_t count = values.size();
  if (share == 0.5 && count % 2 == 0)
    return (values[count / 2 - 1] + values[count / 2]) / 2;
  auto rank = size_t(std::ceil(share * double(count)));
  return values[std::clamp<size_t>(rank, 1, count) - 1];
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
