//===- Booster.h - XGBoost's booster as an object ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The few functions of XGBoost's C interface that growing trees needs. All of
// them return an empty string, or what went wrong. XGBoost reads nothing that
// it has not made itself in this process.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_XGBOOST_BOOSTER_H
#define PRUNER_LIB_COSTMODEL_XGBOOST_BOOSTER_H

#include "pruner/CostModel/PluginAbi.h"

#include <string>
#include <vector>

namespace pruner {

class Booster {
public:
  Booster() = default;
  Booster(const Booster &) = delete;
  Booster &operator=(const Booster &) = delete;
  ~Booster();

  /// Grows the trees that are asked for.
  std::string train(const TreeGrowth &growth);
  /// A margin for each row, by XGBoost itself.
  std::string predict(const std::vector<float> &values, std::size_t columns,
                      std::vector<float> &margins) const;
  /// What was grown, as arrays.
  std::string trees(BoostedTrees &trees) const;

private:
  void *handle = nullptr;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_XGBOOST_BOOSTER_H
