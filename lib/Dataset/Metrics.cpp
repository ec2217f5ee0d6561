//===- Metrics.cpp - quality of a choice by scores ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/Metrics.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <numeric>

using namespace pruner;

/// Indices sorted by decreasing value.
static std::vector<size_t> sorted(llvm::ArrayRef<double> values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order,
                    [&](size_t a, size_t b) { return values[a] > values[b]; });
  return order;
}

static std::vector<double> ranks(llvm::ArrayRef<double> values) {
  std::vector<size_t> order = sorted(values);
  std::vector<double> ranks(values.size());
  for (size_t first = 0, end = 0; first < order.size(); first = end) {
    while (end < order.size() && values[order[end]] == values[order[first]])
      ++end;
    for (size_t i = first; i < end; ++i)
      ranks[order[i]] = double(first + end - 1) / 2;
  }
  return ranks;
}

double pruner::rankCorrelation(llvm::ArrayRef<double> a,
                               llvm::ArrayRef<double> b) {
  std::vector<double> x = ranks(a), y = ranks(b);
  // The ranks of n values have this mean, with or without ties.
  double mean = (double(a.size()) - 1) / 2, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
    xy += (x[i] - mean) * (y[i] - mean);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

double pruner::pairwiseAccuracy(llvm::ArrayRef<double> scores,
                                llvm::ArrayRef<double> values) {
  std::vector<size_t> order = sorted(values);
  size_t pairs = 0, right = 0, equal = 0;
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size(); ++j) {
      bool differ = values[order[i]] > values[order[j]];
      pairs += differ;
      right += differ && scores[order[i]] > scores[order[j]];
      equal += differ && scores[order[i]] == scores[order[j]];
    }
  return pairs ? (double(right) + double(equal) / 2) / double(pairs) : 0.5;
}

double pruner::expectedMaximum(double sure, std::vector<double> pool,
                               size_t draws) {
  size_t n = pool.size(), m = std::min(draws, n);
  if (m == 0)
    return sure;
  llvm::sort(pool, std::greater<>());
  // The i-th largest value is the largest of m drawn values with probability
  // C(n - 1 - i, m - 1) / C(n, m).
  double probability = double(m) / double(n), expected = 0;
  for (size_t i = 0; i + m <= n; ++i) {
    expected += probability * std::max(sure, pool[i]);
    if (n - 1 - i > 0)
      probability *= double(n - m - i) / double(n - 1 - i);
  }
  return expected;
}

double pruner::bestOfHighest(llvm::ArrayRef<double> scores,
                             llvm::ArrayRef<double> values, size_t count) {
  count = std::min(count, scores.size());
  if (count == 0)
    return 0;
  std::vector<size_t> order = sorted(scores);
  double border = scores[order[count - 1]], sure = 0;
  size_t taken = 0;
  std::vector<double> pool;
  for (size_t i : order) {
    if (scores[i] > border) {
      sure = std::max(sure, values[i]);
      ++taken;
    } else if (scores[i] == border) {
      pool.push_back(values[i]);
    }
  }
  return expectedMaximum(sure, std::move(pool), count - taken);
}
