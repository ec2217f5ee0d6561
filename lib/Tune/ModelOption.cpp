//===- ModelOption.cpp - the cost model of a tuning run -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelOption.h"

#include "pruner/CostModel/ModelKind.h"
#include "pruner/CostModel/ShippedWeights.h"
#include "pruner/CostModel/WeightFile.h"
#include "pruner/Search/Strategy.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

static Error conflict(StringRef a, StringRef aValue, StringRef b,
                      StringRef bValue, StringRef why) {
  return createStringError("options '" + a + "=" + aValue + "' and '" + b +
                           "=" + bValue + "' contradict each other: " + why);
}

static Error wrong(StringRef option, const Twine &why) {
  return createStringError("option '" + option + "': " + why);
}

namespace {
/// Creates the model of a run.
class Creation {
public:
  Creation(const ModelOption &asked, function_ref<void(const Twine &)> warn)
      : option(asked), warn(warn) {}

  Expected<TuneModel> run();

private:
  Error resolveAlias();
  Error checkAdaptation();
  Expected<TuneModel> create();
  Expected<TuneModel> createPretrained();
  /// Creates a model with the weights of a file.
  Expected<TuneModel> createWith(const WeightFile &file, const ModelKind &kind);
  /// Creates a model without weights. It must be able to train.
  Expected<TuneModel> createEmpty(const ModelKind &kind);
  Expected<std::unique_ptr<CostModel>> createUntrained(const ModelKind &kind);

  /// The model of the options: the one that they name, that of the weights, or
  /// the default.
  Expected<const ModelKind *> kind();
  /// The file of the option 'weights', which is read once.
  Expected<const WeightFile *> weights();

  ModelOption option;
  function_ref<void(const Twine &)> warn;
  std::unique_ptr<Adaptation> adaptation; ///< Null for 'auto'.
  std::optional<WeightFile> file;
};
} // namespace

Expected<const WeightFile *> Creation::weights() {
  if (!file) {
    WeightFile read;
    if (std::string error = readWeights(option.weights, read); !error.empty())
      return wrong("weights", error);
    file = std::move(read);
  }
  return &*file;
}

Expected<const ModelKind *> Creation::kind() {
  std::string error;
  if (option.model != "auto") {
    if (const ModelKind *named = findModel(option.model, error))
      return named;
    return wrong("model", error);
  }
  if (option.weights.empty())
    return modelKinds().front();
  Expected<const WeightFile *> file = weights();
  if (!file)
    return file.takeError();
  if (const ModelKind *kind = kindOf(**file, error))
    return kind;
  return wrong("weights", error);
}

Expected<std::unique_ptr<CostModel>>
Creation::createUntrained(const ModelKind &kind) {
  OptionValues values;
  if (kind.hasOption("seed"))
    values["seed"] = int64_t(option.seed);
  if (kind.hasOption("device"))
    values["device"] = option.device;
  else if (option.device == "cuda")
    return conflict("model-device", option.device, "model", option.model,
                    "this model runs on the CPU only");
  if (kind.hasOption("adapt")) {
    if (adaptation && adaptation->trains())
      values["adapt"] = option.adapt;
    if (option.transferable > 0)
      values["transferable"] = option.transferable;
  }
  CostModelOrError created = kind.create(values);
  for (const std::string &warning : created.warnings)
    warn(warning);
  if (!created.model)
    return createStringError(created.error);
  return std::move(created.model);
}

Expected<TuneModel> Creation::createEmpty(const ModelKind &kind) {
  auto model = createUntrained(kind);
  if (!model)
    return model.takeError();
  if (std::string why = (*model)->cannotLearn(); !why.empty())
    return createStringError(why);
  return TuneModel{std::move(*model), "", "", true};
}

Expected<TuneModel> Creation::createWith(const WeightFile &file,
                                         const ModelKind &kind) {
  auto model = createUntrained(kind);
  if (!model)
    return wrong("model", toString(model.takeError()));
  if (std::string error = loadWeights(**model, file); !error.empty())
    return wrong("weights", error);
  if (std::string why = (*model)->refusal(option.forGpu); !why.empty())
    return wrong("weights", file.path + ": " + why);
  return TuneModel{std::move(*model), file.hash, "", true};
}

/// Creates a model with the shipped weights. Returns none on GPUs on which
/// these were not trained: there, trees of other GPUs choose worse than the
/// analytical model. On CPUs they choose better, also with a wrong machine
/// description (docs/results/LearnedModels.md, "Unknown machines").
Expected<TuneModel> Creation::createPretrained() {
  ShippedWeights shipped = option.forGpu ? shippedWeights("gpu", option.machine)
                                         : shippedWeights("cpu");
  if (!shipped.error.empty())
    return createStringError(shipped.error);
  if (!shipped.file)
    return TuneModel();
  std::string error;
  const ModelKind *kind = kindOf(*shipped.file, error);
  if (!kind)
    return createStringError(error);
  return createWith(*shipped.file, *kind);
}

/// Replaces another name of a model, such as 'moa', by its name and adaptation.
Error Creation::resolveAlias() {
  for (const ModelKind *kind : modelKinds()) {
    std::string adapt = kind->adaptationOfAlias(option.model);
    if (adapt.empty())
      continue;
    if (option.adapt != "auto" && option.adapt != adapt)
      return conflict("model", option.model, "adapt", option.adapt,
                      "'" + option.model + "' is '" + kind->name() +
                          "' with 'adapt=" + adapt + "'");
    option.model = kind->name();
    option.adapt = adapt;
  }
  return Error::success();
}

/// Fails if the model does not support the adaptation.
Error Creation::checkAdaptation() {
  StringRef adapt = option.adapt;
  if (adapt == "auto" && option.transferable == 0)
    return Error::success();
  if (option.model == "none")
    return conflict("adapt", adapt, "model", option.model,
                    "there is no model to adapt");
  Expected<const ModelKind *> model = kind();
  if (!model)
    return model.takeError();
  const Adaptation *owner = adaptationWithOption("transferable");
  if (option.transferable != 0 && adapt != owner->name())
    return createStringError(
        "option 'transferable' needs 'adapt=" + owner->name() + "'");
  if (!(option.transferable >= 0 && option.transferable <= 1))
    return createStringError(
        "option 'transferable' must be above 0 and at most 1");
  std::string why = refuseAdaptation(**model, option.adapt);
  adaptation = createAdaptation(option.adapt);
  if (!adaptation)
    return wrong("adapt", why);
  if (!why.empty())
    return conflict("adapt", adapt, "model", (*model)->name(), why);
  if (!adaptation->usesWeights() && !option.weights.empty())
    return conflict("adapt", adapt, "weights", option.weights,
                    "'" + option.adapt +
                        "' trains a new model and uses no weights");
  if (adaptation->usesWeights() && option.weights.empty())
    return createStringError("option 'adapt=" + adapt +
                             "' needs 'weights' to adapt");
  return Error::success();
}

Expected<TuneModel> Creation::create() {
  StringRef strategy = option.strategy;
  bool automatic = option.model == "auto", none = option.model == "none";
  const SearchStrategy *search = findSearchStrategy(strategy);
  bool needsModel = search->needsModel(), asksModel = search->usesModel();
  if (!asksModel && !option.weights.empty())
    return conflict("weights", option.weights, "strategy", strategy,
                    "this strategy uses no learned model");
  if (none && !option.weights.empty())
    return conflict("weights", option.weights, "model", option.model,
                    "there is no model to load them");
  if (none && needsModel)
    return conflict("strategy", strategy, "model", option.model,
                    "this strategy ranks with the learned model alone");
  if (none || (automatic && !asksModel))
    return TuneModel();
  if (!asksModel) {
    warn("the strategy '" + strategy +
         "' uses no learned model; 'model=" + option.model + "' has no effect");
    return TuneModel();
  }
  // There is no fallback for a model that was named or that the strategy needs.
  if (!automatic || needsModel || !option.weights.empty()) {
    Expected<const ModelKind *> asked = kind();
    if (!asked)
      return asked.takeError();
    if (!option.weights.empty()) {
      Expected<const WeightFile *> file = weights();
      return file ? createWith(**file, **asked) : file.takeError();
    }
    Expected<TuneModel> made = createEmpty(**asked);
    return made ? std::move(made) : wrong("model", toString(made.takeError()));
  }
  Expected<TuneModel> pretrained = createPretrained();
  if (pretrained && pretrained->model)
    return pretrained;
  if (Error error = pretrained.takeError())
    warn("no pretrained weights; the model starts untrained: " +
         toString(std::move(error)));
  Expected<TuneModel> made = createEmpty(*modelKinds().front());
  if (made)
    return made;
  warn("no learned model; the analytical model ranks alone: " +
       toString(made.takeError()));
  return TuneModel();
}

Expected<TuneModel> Creation::run() {
  if (Error error = resolveAlias())
    return std::move(error);
  if (Error error = checkAdaptation())
    return std::move(error);
  Expected<TuneModel> made = create();
  if (!made || !made->model)
    return made;
  made->learns = !adaptation || adaptation->trains();
  if (std::string why = made->model->cannotLearn();
      !why.empty() && made->learns) {
    if (adaptation)
      return conflict("adapt", option.adapt, "model", made->model->name(), why);
    warn("the weights are not trained in this run: " + why);
    made->learns = false;
    option.adapt = kFrozen;
  }
  // The default adaptation adds nothing to the run identity, so that older runs
  // can be continued.
  if (option.adapt != "auto" &&
      option.adapt != defaultAdaptation(!option.weights.empty()))
    made->adaptation = option.adapt;
  if (option.transferable > 0)
    made->adaptation += " " + std::to_string(option.transferable);
  return made;
}

Expected<TuneModel>
pruner::createTuneModel(const ModelOption &asked,
                        function_ref<void(const Twine &)> warn) {
  return Creation(asked, warn).run();
}
