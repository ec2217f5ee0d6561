//===- Plugin.cpp - C interface of the XGBoost plug-in --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Booster.h"

#include "pruner/CostModel/BoostedTrees.h"

#include <cstdio>

using namespace pruner;

#define PRUNER_EXPORT __attribute__((visibility("default")))

extern "C" {

/// The loader reads this text before it opens the file; see PluginAbi.h.
PRUNER_EXPORT extern const char prunerCostModelPluginMarker[];
__attribute__((used)) const char prunerCostModelPluginMarker[] =
    PRUNER_COSTMODEL_PLUGIN_MARKER "internal;";

PRUNER_EXPORT int prunerCostModelPluginAbi() {
  return PRUNER_COSTMODEL_PLUGIN_ABI;
}

PRUNER_EXPORT int prunerGrowTrees(const TreeGrowth *growth, BoostedTrees *trees,
                                  char *error, std::size_t errorSize) {
  Booster booster;
  std::string problem = booster.train(*growth);
  if (problem.empty())
    problem = booster.trees(*trees);
  std::snprintf(error, errorSize, "%s", problem.c_str());
  return problem.empty();
}
}
