//===- LambdaRank.cpp - LambdaRank, a ranking loss ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/LambdaRank.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <math.h>
#include <numeric>

using namespace pruner;

static constexpr float kLog2E = 1.44269504088896341f;
/// -log2(1e-10): the maximum of a term, where the sigmoid is clamped.
static constexpr float kMaxTerm = 33.2192809488736235f;
/// Score differences are clamped here, as in the published code.
static constexpr float kMaxDifference = 1e8f;

/// The pairs of one program (score \p si, gain \p gi, discount \p di) with
/// \p count programs of smaller labels. Writes the magnitude of the gradient of
/// each pair to \p slope, their sum to \p slopeSum; returns the loss.
static float lambdaRankRow(float si, float gi, float di, std::size_t count,
                           const float *__restrict score,
                           const float *__restrict gain,
                           const float *__restrict discount,
                           float *__restrict slope, float &slopeSum) {
  // Conditional expressions instead of std::min and std::max, whose references
  // prevent vectorization.
  float loss = 0.0f, sum = 0.0f;
  for (std::size_t j = 0; j < count; ++j) {
    float d = si - score[j];
    d = d < -kMaxDifference ? -kMaxDifference : d;
    d = d > kMaxDifference ? kMaxDifference : d;
    float weight = std::fabs(di - discount[j]) * (gi - gain[j]);
    // -log2 sigmoid(d) without overflow: (max(-d, 0) + log(1 + e^-|d|)) / ln 2
    float small = ::expf(-std::fabs(d));
    float linear = d < 0.0f ? -d : 0.0f;
    float cost = (linear + ::logf(1.0f + small)) * kLog2E;
    // 1 - sigmoid(d), the magnitude of the derivative of ln sigmoid.
    float rest = (d >= 0.0f ? small : 1.0f) / (1.0f + small);
    float term = weight * (cost < kMaxTerm ? cost : kMaxTerm);
    float pull = weight * rest * kLog2E;
    pull = cost < kMaxTerm ? pull : 0.0f;
    pull = term < kMaxTerm ? pull : 0.0f;
    loss += term < kMaxTerm ? term : kMaxTerm;
    slope[j] = pull;
    sum += pull;
  }
  slopeSum = sum;
  return loss;
}

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

  // The list is sorted by label. The pairs (i, j) with y_i > y_j are then one
  // element against a tail of the arrays. The inner loop has no branches and is
  // vectorized.
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
    float rowSlope = 0.0f;
    loss += lambdaRankRow(si, gi, di, count - tail, &score[0] + tail,
                          &gain[0] + tail, &discount[0] + tail,
                          &slope[0] + tail, rowSlope);
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
