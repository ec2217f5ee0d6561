//===- LatencyScale.h - seconds as labels of models -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Latencies of programs lie within six orders of magnitude, most of them at the
// lower end. A model of latency predicts a label in their place:
//
//   x = seconds / s,   u = (x^lambda - 1) / lambda,   label = (u - m) / d,
//
// Box and Cox's transformation (CDMPP, section 5.4), with the logarithm for
// lambda = 0. s is the geometric mean of the seconds that it was made of,
// lambda the exponent that is likeliest if u is normal, m and d are the mean
// and the standard deviation of u. All five numbers are needed to invert it.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_LATENCYSCALE_H
#define PRUNER_COSTMODEL_LATENCYSCALE_H

#include <vector>

namespace pruner {

struct LatencyScale {
  double scale = 1;
  double lambda = 0;
  double mean = 0, deviation = 1;
  /// Seconds outside of these are not predicted.
  double lowest = 0, highest = 0;

  /// Of at least one time, all positive and finite. Bounds are a factor of 16
  /// beyond the times.
  static LatencyScale of(const std::vector<double> &seconds);

  /// Whether it can be: positive scales and bounds, all finite.
  bool isValid() const;

  /// Of positive seconds.
  double label(double seconds) const;
  /// The inverse, within the bounds; exact but for rounding between these.
  double seconds(double label) const;
};

/// The logarithm of the likelihood of \p lambda, up to a constant, given the
/// *logarithms* of times: (lambda - 1) sum - n/2 log(variance of u).
double boxCoxLikelihood(const std::vector<double> &logarithms, double lambda);

/// The objective of CDMPP (equation 3): the mean of
///
///   (predicted - label)^2 + share * |predicted seconds - seconds| / seconds.
///
/// The relative error is one of times, not of labels: these are 0 at the mean
/// of all programs, where a relative error means nothing. Returns the mean and
/// sets \p gradient to its derivatives by the predictions; infinity, and no
/// gradient, if a prediction is not finite. \p seconds are positive, of the
/// same length.
double hybridLoss(const LatencyScale &scale,
                  const std::vector<float> &predicted,
                  const std::vector<double> &seconds, double share,
                  std::vector<float> &gradient);

} // namespace pruner

#endif // PRUNER_COSTMODEL_LATENCYSCALE_H
