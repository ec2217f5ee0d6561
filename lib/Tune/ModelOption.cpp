//===- ModelOption.cpp - the cost model of a tuning run -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelOption.h"

#include "pruner/CostModel/PluginLoader.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace pruner;

static Error conflict(StringRef a, StringRef aValue, StringRef b,
                      StringRef bValue, StringRef why) {
  return createStringError("options '" + a + "=" + aValue + "' and '" + b +
                           "=" + bValue + "' contradict each other: " + why);
}

Expected<std::unique_ptr<CostModel>>
pruner::createTuneModel(const ModelOption &option, raw_ostream &warnings) {
  const auto &[strategy, model, weights, device, seed] = option;
  bool automatic = model == "auto";
  bool needsModel = strategy == "learned-all";
  bool asksModel = needsModel || strategy == "draft-verify";
  if (!asksModel && !weights.empty())
    return conflict("weights", weights, "strategy", strategy,
                    "this strategy asks no model");
  if (model == "none" && !weights.empty())
    return conflict("weights", weights, "model", model,
                    "there is no model to load them");
  if (model == "none" && needsModel)
    return conflict("strategy", strategy, "model", model,
                    "this strategy ranks by the model alone");
  if (model == "none" || (automatic && !asksModel))
    return std::unique_ptr<CostModel>();
  if (!asksModel) {
    warnings << "pruner-tune: warning: the strategy '" << strategy
             << "' asks no model; 'model=" << model << "' has no effect\n";
    return std::unique_ptr<CostModel>();
  }

  std::string name = automatic ? "pacm" : model;
  bool isBuiltIn = name == "linear" || name == "random";
  if (isBuiltIn && device == "cuda")
    return conflict("model-device", device, "model", model,
                    "this model is computed on the CPU");
  json::Object known;
  // The linear model has no randomness and takes no seed.
  if (name != "linear")
    known["seed"] = int64_t(seed);
  if (!isBuiltIn)
    known["device"] = device;
  std::string options;
  raw_string_ostream(options) << json::Value(std::move(known));
  CostModelOrError created = createCostModel(name, options);
  for (const std::string &warning : created.warnings)
    warnings << "pruner-tune: warning: " << warning << "\n";
  if (!created.model) {
    // What was asked for by name, or cannot be done without, is not replaced.
    if (!automatic || needsModel || !weights.empty())
      return createStringError("option 'model': " + created.error);
    warnings << "pruner-tune: warning: no learned model, the draft model "
                "chooses alone: "
             << created.error << "\n";
    return std::unique_ptr<CostModel>();
  }
  if (!weights.empty())
    if (std::string error = created.model->load(weights); !error.empty())
      return createStringError("option 'weights': " + error);
  return std::move(created.model);
}
