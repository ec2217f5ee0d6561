//===- MomentDiscrepancy.cpp - central moment discrepancy -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/MomentDiscrepancy.h"

#include <array>
#include <cmath>

using namespace pruner;

namespace {
/// A sample with its moments: [0] is the mean of each column, [j - 1] its j-th
/// central moment.
class Sample {
public:
  Sample(const std::vector<float> &values, std::size_t width)
      : values(values), width(width), rows(double(values.size() / width)) {
    for (std::vector<double> &moment : moments)
      moment.assign(width, 0);
    for (std::size_t i = 0; i < values.size(); ++i)
      moments[0][i % width] += values[i] / rows;
    for (std::size_t i = 0; i < values.size(); ++i) {
      double distance = values[i] - moments[0][i % width], power = distance;
      for (int j = 2; j <= kMomentOrder; ++j)
        moments[j - 1][i % width] += (power *= distance) / rows;
    }
  }

  /// Adds the derivatives by each element to \p gradient, given the derivatives
  /// by the j-th moment.
  void addGradient(int j, const std::vector<double> &slopes,
                   std::vector<float> &gradient) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::size_t c = i % width;
      double slope = 1;
      // The mean also depends on each element.
      if (j > 1)
        slope = j * (std::pow(values[i] - moments[0][c], j - 1) -
                     (j > 2 ? moments[j - 2][c] : 0));
      gradient[i] += float(slopes[c] * slope / rows);
    }
  }

  std::array<std::vector<double>, kMomentOrder> moments;

private:
  const std::vector<float> &values;
  std::size_t width;
  double rows;
};
} // namespace

double pruner::momentDiscrepancy(const std::vector<float> &a,
                                 const std::vector<float> &b, std::size_t width,
                                 double span, std::vector<float> &gradientOfA,
                                 std::vector<float> &gradientOfB) {
  Sample first(a, width), second(b, width);
  gradientOfA.assign(a.size(), 0);
  gradientOfB.assign(b.size(), 0);
  double sum = 0, unit = 1;
  std::vector<double> slopes(width);
  for (int j = 1; j <= kMomentOrder; ++j) {
    unit *= span;
    double squares = 0;
    for (std::size_t c = 0; c < width; ++c) {
      slopes[c] = first.moments[j - 1][c] - second.moments[j - 1][c];
      squares += slopes[c] * slopes[c];
    }
    double length = std::sqrt(squares);
    sum += length / unit;
    if (length == 0)
      continue;
    for (double &slope : slopes)
      slope /= length * unit;
    first.addGradient(j, slopes, gradientOfA);
    for (double &slope : slopes)
      slope = -slope;
    second.addGradient(j, slopes, gradientOfB);
  }
  return sum;
}
