//===- Booster.h - XGBoost's booster as an object ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wrapper of XGBoost's C interface, with the few functions that training
// needs. All of them return an empty string or an error. XGBoost only reads
// data that this process created.

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

  /// Trains the requested trees.
  std::string train(const TreeGrowth &growth);
  /// Returns a margin for each row, computed by XGBoost.
  std::string predict(const std::vector<float> &values, std::size_t columns,
                      std::vector<float> &margins) const;
  /// Returns the trained trees as arrays.
  std::string trees(BoostedTrees &trees) const;

private:
  void *handle = nullptr;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_XGBOOST_BOOSTER_H
