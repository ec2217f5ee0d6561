//===- Adaptation.cpp - ways to adapt weights -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  // NOLINTNEXTLINE(llvm-use-ranges): this component does not use LLVM.
  if (std::find(names.begin(), names.end(), adaptation) == names.end()) {
    std::string known;
    for (const std::string &name : names)
      known += ", '" + name + "'";
    return "'" + adaptation + "' is unknown; expected one of 'auto'" + known;
  }
  bool bySteps = adaptation == "moa" || adaptation == "moses";
  if (model == "xgboost" && bySteps)
    return "gradient-boosted trees are not trained by gradient steps";
  if (model == "tlp" && adaptation == "moa")
    return "the slow copy would need a head for every new platform";
  if (model == "cdmpp" && bySteps)
    return "cdmpp has its own adaptation, the central moment discrepancy "
           "between "
           "platforms, which is part of fine-tune";
  if (model == "linear" && (bySteps || adaptation == "fine-tune"))
    return "its weights are solved from scratch at each update";
  if (model == "random" && adaptation != "none")
    return "the random model does not train";
  return {};
}
