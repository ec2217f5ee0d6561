//===- Booster.h - XGBoost's booster as an object ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The few functions of XGBoost's C interface that the model needs. All of them
// return an empty string, or what went wrong.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_XGBOOST_BOOSTER_H
#define PRUNER_LIB_COSTMODEL_XGBOOST_BOOSTER_H

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// Rows of features.
struct BoosterData {
  std::size_t columns = 0;
  std::vector<float> values; ///< Rows x columns, row-major.

  std::size_t rows() const { return columns ? values.size() / columns : 0; }
};

/// Sets the first and second derivative of what is minimised by each row's
/// margin, for the trees of one round.
using BoosterLoss = const std::function<void(
    int round, const std::vector<float> &margins, std::vector<float> &gradient,
    std::vector<float> &hessian)> &;

/// Parameters by XGBoost's names, as text.
using BoosterParameters = std::vector<std::pair<std::string, std::string>>;

class Booster {
public:
  Booster() = default;
  Booster(const Booster &) = delete;
  Booster &operator=(const Booster &) = delete;
  ~Booster();

  /// Adds `rounds` trees to those that are there.
  std::string train(const BoosterData &data,
                    const BoosterParameters &parameters, int rounds,
                    BoosterLoss loss);
  /// A margin for each row.
  std::string predict(const BoosterData &data, std::vector<float> &margins);

  /// The trees as XGBoost writes them (binary JSON).
  std::string write(std::vector<unsigned char> &bytes) const;
  /// Replaces the trees.
  std::string read(const std::vector<unsigned char> &bytes);

  bool empty() const { return !handle; }
  /// Trees, and columns that they were made for.
  std::string shape(int &trees, std::size_t &columns) const;

private:
  void clear();

  void *handle = nullptr;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_XGBOOST_BOOSTER_H
