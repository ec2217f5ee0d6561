//===- PairwiseRank.cpp - a ranking loss of sampled pairs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/PairwiseRank.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace pruner;

/// Keeps the second derivative of a program positive if it only meets equal
/// programs.
static constexpr float kLeastHessian = 1e-6f;

double pruner::pairwiseRank(const std::vector<float> &scores,
                            const std::vector<float> &labels,
                            const std::vector<unsigned> &lists,
                            unsigned partners, std::uint64_t seed,
                            std::vector<float> &gradient,
                            std::vector<float> &hessian) {
  double loss = 0;
  gradient.assign(scores.size(), 0);
  hessian.assign(scores.size(), kLeastHessian);
  auto meet = [&](std::size_t a, std::size_t b) {
    float difference = labels[a] - labels[b];
    if (difference == 0)
      return;
    std::size_t better = difference > 0 ? a : b, worse = difference > 0 ? b : a;
    float weight = std::abs(difference);
    float ahead = scores[better] - scores[worse];
    float wrong = 1 / (1 + std::exp(ahead));
    loss += weight *
            (std::max(-ahead, 0.0f) + std::log1p(std::exp(-std::abs(ahead))));
    gradient[better] -= weight * wrong;
    gradient[worse] += weight * wrong;
    hessian[better] += weight * wrong * (1 - wrong);
    hessian[worse] += weight * wrong * (1 - wrong);
  };
  std::mt19937_64 random(seed);
  std::size_t begin = 0;
  for (unsigned count : lists) {
    bool all = count <= partners + 1;
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = all ? a + 1 : 0; b < (all ? count : partners); ++b)
        meet(begin + a, begin + (all ? b : random() % count));
    begin += count;
  }
  return loss;
}
