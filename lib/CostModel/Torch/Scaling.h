//===- Scaling.h - scaling of feature columns -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_TORCH_SCALING_H
#define PRUNER_LIB_COSTMODEL_TORCH_SCALING_H

#include <ATen/ATen.h>

#include <vector>

namespace pruner {

/// x becomes (x - mean) / scale, column by column.
struct Scaling {
  at::Tensor mean, scale; ///< [columns]

  /// The scaling that changes nothing.
  static Scaling none(std::int64_t columns);
  /// Scales a matrix on the same device in place.
  void apply(at::Tensor &rows) const { rows.sub_(mean).div_(scale); }
};

/// Accumulates means and deviations, or maxima, of columns.
class ColumnStatistics {
public:
  explicit ColumnStatistics(std::size_t columns)
      : sum(columns), squares(columns), most(columns) {}

  /// Adds \p count numbers, which are whole rows.
  void add(const float *values, std::size_t count);
  bool any() const { return rows > 0; }
  /// Mean and standard deviation, or 0 and the maximum. Constant columns, or
  /// those without a positive value, are not divided. With \p keepConstants,
  /// constant columns do not become 0 but stay as they are.
  Scaling scaling(bool standard, bool keepConstants = false) const;

private:
  std::vector<double> sum, squares;
  std::vector<float> most;
  double rows = 0;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_SCALING_H
