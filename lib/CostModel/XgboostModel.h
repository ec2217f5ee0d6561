//===- XgboostModel.h - gradient-boosted trees as a cost model --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient-boosted trees over the terms of programs (ProgramFeatures::terms).
// The first term is the analytical model's prediction. The loss ranks pairs of
// programs of a task (CostModel/PairwiseRank.h). Ansor's model also consists of
// such trees, over its statement features (OSDI 2020, section 5.2).
//
// Trees are plain arrays (CostModel/BoostedTrees.h), which this component
// reads, evaluates and writes. XGBoost, in a plug-in, is needed for training
// only.
//
// Options, a flat JSON object:
//
//   seed       seed of the random draws (0)
//   threads    threads of XGBoost (1); the result depends on their number
//   rounds     trees of a model trained from scratch (150)
//   more       trees that an update adds to loaded weights (30)
//   depth      depth of a tree (7)
//   rate       learning rate: share of the gradient that a tree takes (0.1)
//   prior      weight of the analytical model's prediction: half of its
//              seconds raise the score by this (0); loaded weights keep
//              their own
//   device     "cpu" or "auto", which mean the same

#ifndef PRUNER_LIB_COSTMODEL_XGBOOSTMODEL_H
#define PRUNER_LIB_COSTMODEL_XGBOOSTMODEL_H

#include "pruner/CostModel/CostModel.h"
#include "pruner/CostModel/PluginAbi.h"

#include <memory>

namespace pruner {

struct XgboostOptions {
  std::int64_t seed = 0, threads = 1, rounds = 150, more = 30, depth = 7;
  double rate = 0.1, prior = 0;
};

/// Reads \p json. Returns an empty string or an error that names the option.
std::string parseXgboostOptions(const std::string &json,
                                XgboostOptions &options);

/// \p grow is the plug-in's function, or null if there is no plug-in; \p why is
/// then the reason. Such a model scores with loaded weights and cannot train.
std::unique_ptr<CostModel> createXgboostModel(const XgboostOptions &options,
                                              PrunerGrowTreesFn grow,
                                              const std::string &why);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_XGBOOSTMODEL_H
