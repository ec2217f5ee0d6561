//===- Scaling.cpp - scaling of feature columns ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scaling.h"

#include <algorithm>
#include <cmath>

using namespace pruner;

/// Smaller deviations are rounding errors of the sums.
static constexpr double kLeastScale = 1e-3;

Scaling Scaling::none(std::int64_t columns) {
  return {at::zeros({columns}, at::kFloat), at::ones({columns}, at::kFloat)};
}

void ColumnStatistics::add(const float *values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t column = i % sum.size();
    sum[column] += values[i];
    squares[column] += double(values[i]) * values[i];
    most[column] = std::max(most[column], values[i]);
  }
  rows += double(count / sum.size());
}

Scaling ColumnStatistics::scaling(bool standard, bool keepConstants) const {
  Scaling result = Scaling::none(std::int64_t(sum.size()));
  for (std::size_t c = 0; c < sum.size(); ++c) {
    double scale = most[c];
    if (standard) {
      double mean = sum[c] / rows;
      result.mean.data_ptr<float>()[c] = float(mean);
      scale = std::sqrt(std::max(0.0, squares[c] / rows - mean * mean));
    }
    if (scale > kLeastScale)
      result.scale.data_ptr<float>()[c] = float(scale);
    else if (keepConstants)
      result.mean.data_ptr<float>()[c] = 0;
  }
  return result;
}
