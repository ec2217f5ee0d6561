//===- LambdaRank.cpp - the ranking loss of the cost models ---------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/CostModel/LambdaRank.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace pruner;

static constexpr float kLog2E = 1.44269504088896341f;
/// -log2(1e-10): the largest a term can get, and where sigmoid is cut off.
static constexpr float kMaxTerm = 33.2192809488736235f;
/// Score differences are clamped here; exp() of more would overflow to
/// infinity, which is harmless, but NaN - NaN would not be.
static constexpr float kMaxDifference = 1e8f;

double pruner::lambdaRankList(const float *scores, const float *labels,
                              std::size_t count, float *gradient) {
  if (count < 2)
    return 0.0;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(
      order.begin(), order.end(),
      [&](std::size_t a, std::size_t b) { return labels[a] > labels[b]; });
  double maxDcg = 0.0;
  for (std::size_t r = 0; r < count; ++r)
    maxDcg += (std::exp2(double(labels[order[r]])) - 1.0) / std::log2(2.0 + r);
  maxDcg = std::max(maxDcg, 1e-10);

  // Everything below runs over the list in the order of its labels: the pairs
  // (i, j) with y_i > y_j are then i against a tail of the arrays, without
  // branches in the inner loop, which the compiler turns into vector code.
  std::vector<float> score(count), label(count), gain(count), discount(count);
  std::vector<std::size_t> byScore(count);
  std::iota(byScore.begin(), byScore.end(), std::size_t(0));
  std::stable_sort(
      byScore.begin(), byScore.end(),
      [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<float> discountOf(count);
  for (std::size_t r = 0; r < count; ++r)
    discountOf[byScore[r]] = static_cast<float>(1.0 / std::log2(2.0 + r));
  for (std::size_t k = 0; k < count; ++k) {
    score[k] = scores[order[k]];
    label[k] = labels[order[k]];
    gain[k] = static_cast<float>((std::exp2(double(label[k])) - 1.0) / maxDcg);
    discount[k] = discountOf[order[k]];
  }

  std::vector<float> slope(count), total(count, 0.0f);
  double loss = 0.0;
  std::size_t tail = 0;
  for (std::size_t i = 0; i < count; ++i) {
    while (tail < count && label[tail] >= label[i])
      ++tail;
    const float si = score[i], gi = gain[i], di = discount[i];
    float rowLoss = 0.0f, rowSlope = 0.0f;
    for (std::size_t j = tail; j < count; ++j) {
      float difference =
          std::max(-kMaxDifference, std::min(kMaxDifference, si - score[j]));
      float weight = std::fabs(di - discount[j]) * (gi - gain[j]);
      // -log2 sigmoid(d) without overflow: (max(-d, 0) + log(1 + e^-|d|)) / ln
      // 2
      float small = std::exp(-std::fabs(difference));
      float cost =
          (std::max(-difference, 0.0f) + std::log(1.0f + small)) * kLog2E;
      // 1 - sigmoid(d), the magnitude of the derivative of ln sigmoid.
      float rest = (difference >= 0.0f ? small : 1.0f) / (1.0f + small);
      float term = weight * std::min(cost, kMaxTerm);
      bool flat = cost >= kMaxTerm || term >= kMaxTerm;
      rowLoss += std::min(term, kMaxTerm);
      slope[j] = flat ? 0.0f : weight * rest * kLog2E;
      rowSlope += slope[j];
    }
    loss += rowLoss;
    total[i] -= rowSlope;
    for (std::size_t j = tail; j < count; ++j)
      total[j] += slope[j];
  }
  if (gradient)
    for (std::size_t k = 0; k < count; ++k)
      gradient[order[k]] += total[k];
  return loss;
}

double pruner::lambdaRank(const std::vector<float> &scores,
                          const std::vector<float> &labels,
                          const std::vector<int> *groups,
                          std::vector<float> &gradient) {
  gradient.assign(scores.size(), 0.0f);
  if (!groups)
    return lambdaRankList(scores.data(), labels.data(), scores.size(),
                          gradient.data());
  std::map<int, std::vector<std::size_t>> lists;
  for (std::size_t i = 0; i < groups->size(); ++i)
    lists[(*groups)[i]].push_back(i);
  double loss = 0.0;
  for (const auto &[group, members] : lists) {
    std::vector<float> s, y, g(members.size(), 0.0f);
    for (std::size_t i : members) {
      s.push_back(scores[i]);
      y.push_back(labels[i]);
    }
    loss += lambdaRankList(s.data(), y.data(), s.size(), g.data());
    for (std::size_t k = 0; k < members.size(); ++k)
      gradient[members[k]] = g[k];
  }
  return loss;
}
