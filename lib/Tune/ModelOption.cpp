//===- ModelOption.cpp - the cost model of a tuning run -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelOption.h"

#include "pruner/CostModel/Adaptation.h"
#include "pruner/CostModel/PluginLoader.h"
#include "pruner/Support/Hashing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace pruner;

static Error conflict(StringRef a, StringRef aValue, StringRef b,
                      StringRef bValue, StringRef why) {
  return createStringError("options '" + a + "=" + aValue + "' and '" + b +
                           "=" + bValue + "' contradict each other: " + why);
}

/// The seed of 'linear', which has no randomness, is no option of it.
static Expected<std::unique_ptr<CostModel>>
create(StringRef name, const ModelOption &option, raw_ostream &warnings) {
  bool isBuiltIn = name == "linear" || name == "random";
  if (isBuiltIn && option.device == "cuda")
    return conflict("model-device", option.device, "model", option.model,
                    "this model is computed on the CPU");
  json::Object known;
  if (name != "linear")
    known["seed"] = int64_t(option.seed);
  if (!isBuiltIn)
    known["device"] = option.device;
  if (!isBuiltIn && name != "xgboost") {
    bool steps = option.adapt != "auto" && option.adapt != "none";
    if (steps)
      known["adapt"] = option.adapt;
    if (option.transferable > 0)
      known["transferable"] = option.transferable;
  }
  std::string options;
  raw_string_ostream(options) << json::Value(std::move(known));
  CostModelOrError created = createCostModel(name.str(), options);
  for (const std::string &warning : created.warnings)
    warnings << "pruner-tune: warning: " << warning << "\n";
  if (!created.model)
    return createStringError(created.error);
  return std::move(created.model);
}

/// A model that begins with nothing, and therefore has to learn.
static Expected<std::unique_ptr<CostModel>>
createEmpty(StringRef name, const ModelOption &option, raw_ostream &warnings) {
  auto model = create(name, option, warnings);
  if (model && !(*model)->cannotLearn().empty())
    return createStringError((*model)->cannotLearn());
  return model;
}

/// A model with the weights of a file. They are named by what they were when
/// they were read.
static Expected<TuneModel> createWith(StringRef weights, StringRef name,
                                      const ModelOption &option,
                                      raw_ostream &warnings) {
  auto model = create(name, option, warnings);
  if (!model)
    return createStringError("option 'model': " + toString(model.takeError()));
  if (std::string error = (*model)->load(weights.str()); !error.empty())
    return createStringError("option 'weights': " + error);
  if (std::string why = (*model)->refusal(option.forGpu); !why.empty())
    return createStringError("option 'weights': " + weights + ": " + why);
  auto file = MemoryBuffer::getFile(weights);
  if (!file)
    return createStringError("option 'weights': " + weights + ": " +
                             file.getError().message());
  return TuneModel{std::move(*model), contentHash((*file)->getBuffer()), "",
                   true};
}

/// Trees with the weights that came with this program; no model if they were
/// trained by other machines.
static Expected<TuneModel> createPretrained(const ModelOption &option,
                                            raw_ostream &warnings) {
  std::string tried;
  for (const std::string &path :
       pretrainedWeights(option.forGpu ? "gpu" : "cpu")) {
    if (sys::fs::exists(path)) {
      Expected<TuneModel> trees = createWith(path, "xgboost", option, warnings);
      if (trees &&
          !is_contained(
              split(trees->model->provenance["trained.machines"], ", "),
              option.machine))
        return TuneModel();
      return trees;
    }
    tried += (tried.empty() ? "'" : ", '") + path + "'";
  }
  return createStringError(tried.empty() ? std::string(kNoCodeDirectory)
                                         : "tried " + tried);
}

/// Why weights cannot be adapted as it is asked for, if they cannot.
static Error checkAdaptation(const ModelOption &option, StringRef model) {
  StringRef adapt = option.adapt;
  if (option.transferable != 0 && adapt != "moses")
    return createStringError("option 'transferable' is about 'adapt=moses'");
  if (!(option.transferable >= 0 && option.transferable <= 1))
    return createStringError(
        "option 'transferable' must be above 0, at most 1");
  if (adapt == "auto")
    return Error::success();
  if (std::string why = refuseAdaptation(model.str(), adapt.str());
      !why.empty()) {
    if (!is_contained(adaptationNames(), adapt))
      return createStringError("option 'adapt': " + why);
    return conflict("adapt", adapt, "model", model, why);
  }
  if (adapt == "scratch" && !option.weights.empty())
    return conflict("adapt", adapt, "weights", option.weights,
                    "what starts from nothing needs none");
  if (adapt != "scratch" && option.weights.empty())
    return createStringError("option 'adapt=" + adapt +
                             "' needs 'weights' to adapt");
  return Error::success();
}

/// What is asked for, with 'moa' as the adaptation that it is.
static Expected<ModelOption> resolve(ModelOption option) {
  if (option.model == "moa") {
    if (option.adapt != "auto" && option.adapt != "moa")
      return conflict("model", option.model, "adapt", option.adapt,
                      "'moa' is 'pacm' with 'adapt=moa'");
    option.model = "pacm";
    option.adapt = "moa";
  }
  if (option.adapt == "auto" && option.transferable == 0)
    return option;
  if (option.model == "none")
    return conflict("adapt", option.adapt, "model", option.model,
                    "there is no model to adapt");
  if (option.model == "auto") {
    std::string error;
    option.model =
        option.weights.empty() ? "pacm" : modelOfWeights(option.weights, error);
    if (!error.empty())
      return createStringError("option 'weights': " + error);
  }
  if (Error error = checkAdaptation(option, option.model))
    return std::move(error);
  return option;
}

static Expected<TuneModel> createResolved(const ModelOption &option,
                                          raw_ostream &warnings) {
  const auto &[strategy, model, weights, adapt, device, share, seed, machine,
               forGpu] = option;
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
    return TuneModel();
  if (!asksModel) {
    warnings << "pruner-tune: warning: the strategy '" << strategy
             << "' asks no model; 'model=" << model << "' has no effect\n";
    return TuneModel();
  }
  if (!weights.empty()) {
    std::string name = model, error;
    if (automatic)
      name = modelOfWeights(weights, error);
    if (!error.empty())
      return createStringError("option 'weights': " + error);
    return createWith(weights, name, option, warnings);
  }
  // What was asked for by name, or cannot be done without, is not replaced.
  if (!automatic || needsModel) {
    auto made = createEmpty(automatic ? "pacm" : model, option, warnings);
    if (!made)
      return createStringError("option 'model': " + toString(made.takeError()));
    return TuneModel{std::move(*made), "", "", true};
  }
  Expected<TuneModel> trees = createPretrained(option, warnings);
  if (trees && trees->model)
    return trees;
  if (Error error = trees.takeError())
    warnings << "pruner-tune: warning: no pretrained weights, the model begins "
                "with nothing: "
             << toString(std::move(error)) << "\n";
  auto made = createEmpty("pacm", option, warnings);
  if (made)
    return TuneModel{std::move(*made), "", "", true};
  warnings << "pruner-tune: warning: no learned model, the draft model "
              "chooses alone: "
           << toString(made.takeError()) << "\n";
  return TuneModel();
}

Expected<TuneModel> pruner::createTuneModel(const ModelOption &asked,
                                            raw_ostream &warnings) {
  Expected<ModelOption> option = resolve(asked);
  if (!option)
    return option.takeError();
  Expected<TuneModel> made = createResolved(*option, warnings);
  if (!made || !made->model)
    return made;
  if (std::string why = made->model->cannotLearn();
      !why.empty() && option->adapt != "none") {
    if (option->adapt != "auto")
      return conflict("adapt", option->adapt, "model", made->model->name(),
                      why);
    warnings << "pruner-tune: warning: the weights are used as they are: "
             << why << "\n";
    option->adapt = "none";
  }
  made->learns = option->adapt != "none";
  // What is adapted in the way of its weights is called nothing: so it was
  // before there was a choice.
  if (option->adapt != "auto" &&
      option->adapt != defaultAdaptation(!option->weights.empty()))
    made->adaptation = option->adapt;
  if (option->transferable > 0)
    made->adaptation += " " + std::to_string(option->transferable);
  return made;
}
