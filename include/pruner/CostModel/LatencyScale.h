//===- LatencyScale.h - normalized latencies as labels ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Latencies of programs span six orders of magnitude, and most are at the lower
// end. A latency model therefore predicts a label:
//
//   x = seconds / s,   u = (x^lambda - 1) / lambda,   label = (u - m) / d.
//
// This is Box and Cox's transformation (CDMPP, section 5.4), which for lambda =
// 0 is the logarithm. s is the geometric mean of the given seconds, lambda the
// exponent of maximum likelihood if u is normally distributed, and m and d are
// the mean and the standard deviation of u. The inverse needs all five numbers.

#ifndef PRUNER_COSTMODEL_LATENCYSCALE_H
#define PRUNER_COSTMODEL_LATENCYSCALE_H

#include <vector>

namespace pruner {

struct LatencyScale {
  double scale = 1;
  double lambda = 0;
  double mean = 0, deviation = 1;
  /// Predicted seconds are limited to this range.
  double lowest = 0, highest = 0;

  /// Fits the transformation to at least one time; all must be positive and
  /// finite. The bounds are a factor of 16 beyond the times.
  static LatencyScale of(const std::vector<double> &seconds);

  /// Whether the transformation is valid: positive scales and bounds, all
  /// finite.
  bool isValid() const;

  /// Requires positive seconds.
  double label(double seconds) const;
  /// The inverse, limited to the bounds; exact up to rounding between these.
  double seconds(double label) const;
};

/// The log-likelihood of \p lambda, up to a constant, given the *logarithms* of
/// times: (lambda - 1) sum - n/2 log(variance of u).
double boxCoxLikelihood(const std::vector<double> &logarithms, double lambda);

/// The objective of CDMPP (equation 3), the mean of
///
///   (predicted - label)^2 + share * |predicted seconds - seconds| / seconds.
///
/// The relative error is that of times, because labels are 0 at the mean of all
/// programs, where a relative error is undefined. Sets \p gradient to the
/// derivatives by the predictions and returns the mean. Returns infinity and no
/// gradient if a prediction is not finite. \p seconds must be positive and have
/// the same length.
double hybridLoss(const LatencyScale &scale,
                  const std::vector<float> &predicted,
                  const std::vector<double> &seconds, double share,
                  std::vector<float> &gradient);

} // namespace pruner

#endif // PRUNER_COSTMODEL_LATENCYSCALE_H
