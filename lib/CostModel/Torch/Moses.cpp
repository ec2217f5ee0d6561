//===- Moses.cpp - importances and domain classifier of Moses -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Moses.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pruner;

std::vector<float> pruner::importances(const float *weights,
                                       const float *gradients,
                                       std::size_t count) {
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i)
    result[i] = std::abs(weights[i] * gradients[i]);
  return result;
}

std::vector<std::uint8_t>
pruner::largestShare(const std::vector<float> &importances, double share) {
  std::size_t all = importances.size();
  std::vector<std::uint8_t> result(all, 0);
  if (all == 0)
    return result;
  auto most = std::size_t(std::llround(share * double(all)));
  most = std::clamp<std::size_t>(most, 1, all);
  std::vector<std::uint32_t> order(all);
  std::iota(order.begin(), order.end(), 0);
  std::nth_element(order.begin(), order.begin() + std::ptrdiff_t(most - 1),
                   order.end(), [&](std::uint32_t a, std::uint32_t b) {
                     return importances[a] != importances[b]
                                ? importances[a] > importances[b]
                                : a < b;
                   });
  for (std::size_t i = 0; i < most; ++i)
    result[order[i]] = 1;
  return result;
}

DomainClassifier::DomainClassifier(const float *from, std::size_t rows,
                                   std::size_t width, double learningRate)
    : source(from, from + rows * width), rows(rows), width(width), mean(width),
      deviation(width), weights(width), learningRate(learningRate) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < width; ++c) {
      double x = source[r * width + c];
      mean[c] += x / double(rows);
      deviation[c] += x * x / double(rows);
    }
  for (std::size_t c = 0; c < width; ++c) {
    double variance = deviation[c] - mean[c] * mean[c];
    // A coordinate that is almost constant must not amplify small differences.
    deviation[c] = variance > 1e-8 ? std::sqrt(variance) : 1;
  }
}

double DomainClassifier::probability(const float *row) const {
  double sum = bias;
  for (std::size_t c = 0; c < width; ++c)
    sum += weights[c] * (row[c] - mean[c]) / deviation[c];
  return 1 / (1 + std::exp(-sum));
}

double DomainClassifier::step(const float *target, std::size_t count,
                              double reversal, std::vector<float> &gradient) {
  gradient.assign(count * width, 0);
  std::vector<double> slope(width);
  double slopeOfBias = 0, loss = 0, share = 1 / double(2 * count);
  // `wrong` is the gradient of the loss by the row's logit.
  auto take = [&](const float *row, double wrong) {
    slopeOfBias += wrong * share;
    for (std::size_t c = 0; c < width; ++c)
      slope[c] += wrong * share * (row[c] - mean[c]) / deviation[c];
  };
  for (std::size_t i = 0; i < count; ++i) {
    const float *row = target + i * width;
    double p = probability(row);
    loss -= share * std::log(std::max(p, 1e-12));
    take(row, p - 1);
    for (std::size_t c = 0; c < width; ++c)
      gradient[i * width + c] =
          float(-reversal * (p - 1) * share * weights[c] / deviation[c]);
    const float *other = source.data() + next * width;
    next = (next + 1) % rows;
    double q = probability(other);
    loss -= share * std::log(std::max(1 - q, 1e-12));
    take(other, q);
  }
  for (std::size_t c = 0; c < width; ++c)
    weights[c] -= learningRate * slope[c];
  bias -= learningRate * slopeOfBias;
  return loss;
}
