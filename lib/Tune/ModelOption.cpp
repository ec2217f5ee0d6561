//===- ModelOption.cpp - the cost model of a tuning run -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelOption.h"

#include "pruner/CostModel/Adaptation.h"
#include "pruner/CostModel/PluginLoader.h"
#include "pruner/Search/Strategy.h"
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

/// Creates an untrained model. 'linear' has no option for a seed, because it is
/// deterministic.
static Expected<std::unique_ptr<CostModel>>
create(StringRef name, const ModelOption &option, raw_ostream &warnings) {
  bool isBuiltIn = name == "linear" || name == "random";
  if (isBuiltIn && option.device == "cuda")
    return conflict("model-device", option.device, "model", option.model,
                    "this model runs on the CPU only");
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

/// Creates a model without weights. It must be able to train.
static Expected<std::unique_ptr<CostModel>>
createEmpty(StringRef name, const ModelOption &option, raw_ostream &warnings) {
  auto model = create(name, option, warnings);
  if (model && !(*model)->cannotLearn().empty())
    return createStringError((*model)->cannotLearn());
  return model;
}

/// Creates a model with the weights of a file. The hash of the file identifies
/// the weights.
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

/// Creates trees with the shipped weights. Returns no model if these were
/// trained on other machines.
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

/// Fails if the model does not support the adaptation.
static Error checkAdaptation(const ModelOption &option, StringRef model) {
  StringRef adapt = option.adapt;
  if (option.transferable != 0 && adapt != "moses")
    return createStringError("option 'transferable' needs 'adapt=moses'");
  if (!(option.transferable >= 0 && option.transferable <= 1))
    return createStringError(
        "option 'transferable' must be above 0 and at most 1");
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
                    "'scratch' trains a new model and uses no weights");
  if (adapt != "scratch" && option.weights.empty())
    return createStringError("option 'adapt=" + adapt +
                             "' needs 'weights' to adapt");
  return Error::success();
}

/// Replaces 'moa' by 'pacm' with that adaptation, and checks the adaptation.
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
  const SearchStrategy *search = findSearchStrategy(strategy);
  bool needsModel = search->needsModel();
  bool asksModel = search->usesModel();
  if (!asksModel && !weights.empty())
    return conflict("weights", weights, "strategy", strategy,
                    "this strategy uses no learned model");
  if (model == "none" && !weights.empty())
    return conflict("weights", weights, "model", model,
                    "there is no model to load them");
  if (model == "none" && needsModel)
    return conflict("strategy", strategy, "model", model,
                    "this strategy ranks with the learned model alone");
  if (model == "none" || (automatic && !asksModel))
    return TuneModel();
  if (!asksModel) {
    warnings << "pruner-tune: warning: the strategy '" << strategy
             << "' uses no learned model; 'model=" << model
             << "' has no effect\n";
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
  // There is no fallback for a model that was named or that the strategy needs.
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
    warnings << "pruner-tune: warning: no pretrained weights; the model starts "
                "untrained: "
             << toString(std::move(error)) << "\n";
  auto made = createEmpty("pacm", option, warnings);
  if (made)
    return TuneModel{std::move(*made), "", "", true};
  warnings << "pruner-tune: warning: no learned model; the analytical model "
              "ranks alone: "
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
    warnings
        << "pruner-tune: warning: the weights are not trained in this run: "
        << why << "\n";
    option->adapt = "none";
  }
  made->learns = option->adapt != "none";
  // The default adaptation adds nothing to the run identity, so that older runs
  // can be continued.
  if (option->adapt != "auto" &&
      option->adapt != defaultAdaptation(!option->weights.empty()))
    made->adaptation = option->adapt;
  if (option->transferable > 0)
    made->adaptation += " " + std::to_string(option->transferable);
  return made;
}
