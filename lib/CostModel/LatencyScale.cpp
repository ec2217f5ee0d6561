//===- LatencyScale.cpp - normalized latencies as labels ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/LatencyScale.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pruner;

/// The range of exponents to search, and the tolerance of the search.
static constexpr double kMostLambda = 2, kLambdaStep = 1e-6;
/// Below this exponent the power equals the logarithm up to rounding.
static constexpr double kLeastLambda = 1e-8;
/// Smaller deviations are rounding errors.
static constexpr double kLeastDeviation = 1e-9;
static constexpr double kMargin = 16;

static double transformed(double logarithm, double lambda) {
  return std::fabs(lambda) < kLeastLambda
             ? logarithm
             : std::expm1(lambda * logarithm) / lambda;
}

namespace {
struct Moments {
  double mean = 0, variance = 0;
};
} // namespace

static Moments momentsOf(const std::vector<double> &logarithms, double lambda) {
  Moments moments;
  for (double x : logarithms)
    moments.mean += transformed(x, lambda) / double(logarithms.size());
  for (double x : logarithms) {
    double distance = transformed(x, lambda) - moments.mean;
    moments.variance += distance * distance / double(logarithms.size());
  }
  return moments;
}

double pruner::boxCoxLikelihood(const std::vector<double> &logarithms,
                                double lambda) {
  double sum = 0;
  for (double x : logarithms)
    sum += x;
  return (lambda - 1) * sum -
         double(logarithms.size()) / 2 *
             std::log(momentsOf(logarithms, lambda).variance);
}

/// Finds the maximum by golden-section search.
static double likeliestLambda(const std::vector<double> &logarithms) {
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = -kMostLambda, high = kMostLambda;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double atA = boxCoxLikelihood(logarithms, a);
  double atB = boxCoxLikelihood(logarithms, b);
  while (high - low > kLambdaStep) {
    if (atA > atB) {
      high = b;
      b = a;
      atB = atA;
      a = high - ratio * (high - low);
      atA = boxCoxLikelihood(logarithms, a);
    } else {
      low = a;
      a = b;
      atA = atB;
      b = low + ratio * (high - low);
      atB = boxCoxLikelihood(logarithms, b);
    }
  }
  return (low + high) / 2;
}

LatencyScale LatencyScale::of(const std::vector<double> &seconds) {
  LatencyScale result;
  std::vector<double> logarithms;
  double sum = 0;
  for (double x : seconds) {
    logarithms.push_back(std::log(x));
    sum += logarithms.back() / double(seconds.size());
  }
  result.scale = std::exp(sum);
  for (double &x : logarithms)
    x -= sum;
  auto [lowest, highest] = std::minmax_element(seconds.begin(), seconds.end());
  result.lowest = *lowest / kMargin;
  result.highest = *highest * kMargin;
  // If all times are equal, every exponent is equally likely.
  if (momentsOf(logarithms, 0).variance > kLeastDeviation * kLeastDeviation)
    result.lambda = likeliestLambda(logarithms);
  Moments moments = momentsOf(logarithms, result.lambda);
  result.mean = moments.mean;
  result.deviation = std::sqrt(moments.variance);
  if (!(result.deviation > kLeastDeviation))
    result.deviation = 1;
  return result;
}

bool LatencyScale::isValid() const {
  auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  return positive(scale) && positive(deviation) && positive(lowest) &&
         positive(highest) && lowest <= highest && std::isfinite(mean) &&
         std::fabs(lambda) <= kMostLambda;
}

double LatencyScale::label(double seconds) const {
  return (transformed(std::log(seconds / scale), lambda) - mean) / deviation;
}

double LatencyScale::seconds(double label) const {
  double u = label * deviation + mean, logarithm = u;
  if (std::fabs(lambda) >= kLeastLambda) {
    // A label outside of the range of the transformation maps to one of the
    // bounds.
    double power = lambda * u;
    if (power <= -1)
      return lambda > 0 ? lowest : highest;
    logarithm = std::log1p(power) / lambda;
  }
  return std::clamp(scale * std::exp(logarithm), lowest, highest);
}

double pruner::hybridLoss(const LatencyScale &scale,
                          const std::vector<float> &predicted,
                          const std::vector<double> &seconds, double share,
                          std::vector<float> &gradient) {
  double loss = 0, part = 1 / double(predicted.size());
  std::vector<float> slopes;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    if (!std::isfinite(predicted[i]))
      return std::numeric_limits<double>::infinity();
    double distance = predicted[i] - scale.label(seconds[i]);
    double time = scale.seconds(predicted[i]);
    double relative = time / seconds[i] - 1;
    loss += part * (distance * distance + share * std::fabs(relative));
    double slope = 2 * distance;
    // d seconds / d u = scale (seconds / scale)^(1 - lambda), and 0 at the
    // bounds.
    if (time > scale.lowest && time < scale.highest && relative != 0)
      slope += std::copysign(share, relative) * scale.deviation * scale.scale *
               std::pow(time / scale.scale, 1 - scale.lambda) / seconds[i];
    slopes.push_back(float(part * slope));
  }
  gradient = std::move(slopes);
  return loss;
}
