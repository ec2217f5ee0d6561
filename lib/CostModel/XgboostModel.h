//===- XgboostModel.h - boosted trees as a cost model -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trees over the terms of programs (ProgramFeatures::terms), of which the first
// is the analytical model's prediction; what is boosted is the order of pairs
// within a task (CostModel/PairwiseRank.h). Ansor's model are such trees, too,
// over its statement features (OSDI 2020, section 5.2).
//
// Trees are plain arrays (CostModel/BoostedTrees.h), read, evaluated and
// written here. XGBoost, in a plug-in, only grows them.
//
// Options, a flat JSON object:
//
//   seed       of what is drawn (0)
//   threads    of XGBoost (1); with more the result depends on their number
//   rounds     trees of weights made from nothing (150)
//   more       trees that an update adds to loaded weights (30)
//   depth      of a tree (7)
//   rate       how much of its gradient a tree takes (0.1)
//   prior      what the analytical model's prediction counts beside the trees:
//              half its seconds are so much more of a score (0); loaded weights
//              keep theirs
//   device     "cpu" or "auto", which is the same
//
//===----------------------------------------------------------------------===//

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

/// Reads \p json. Returns an empty string, or which option is wrong.
std::string parseXgboostOptions(const std::string &json,
                                XgboostOptions &options);

/// \p grow the plug-in's function; null if there is none, and then \p why says
///    so: such a model scores by loaded weights and learns nothing.
std::unique_ptr<CostModel> createXgboostModel(const XgboostOptions &options,
                                              PrunerGrowTreesFn grow,
                                              const std::string &why);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_XGBOOSTMODEL_H
