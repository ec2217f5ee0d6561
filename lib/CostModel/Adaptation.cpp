//===- Adaptation.cpp - weights from elsewhere ----------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/CostModel/Adaptation.h"

#include <algorithm>

using namespace pruner;

const std::vector<std::string> &pruner::adaptationNames() {
  static const std::vector<std::string> names = {"scratch", "none", "fine-tune",
                                                 "moa", "moses"};
  return names;
}

std::string pruner::defaultAdaptation(bool hasWeights) {
  return hasWeights ? "fine-tune" : "scratch";
}

std::string pruner::refuseAdaptation(const std::string &model,
                                     const std::string &adaptation) {
  const std::vector<std::string> &names = adaptationNames();
  // NOLINTNEXTLINE(llvm-use-ranges): this room knows no LLVM.
  if (std::find(names.begin(), names.end(), adaptation) == names.end()) {
    std::string known;
    for (const std::string &name : names)
      known += ", '" + name + "'";
    return "'" + adaptation + "' is unknown; expected one of 'auto'" + known;
  }
  bool bySteps = adaptation == "moa" || adaptation == "moses";
  if (model == "xgboost" && bySteps)
    return "trees are not trained by steps: there are no weights that move a "
           "little";
  if (model == "tlp" && adaptation == "moa")
    return "the slow copy would need a head for every platform that is met";
  if (model == "cdmpp" && bySteps)
    return "it is adapted by its own means: the distance of both platforms in "
           "what it learned, which fine-tuning minds";
  if (model == "linear" && (bySteps || adaptation == "fine-tune"))
    return "its weights are solved for anew each time";
  if (model == "random" && adaptation != "none")
    return "it learns nothing";
  return {};
}
