//===- Registry.cpp - the list of models ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../TypedKind.h"
#include "Models.h"
#include "pruner/Support/NearestName.h"

using namespace pruner;

const std::vector<const ModelKind *> &pruner::modelKinds() {
#define MODEL(name) &name##Kind(),
  static const std::vector<const ModelKind *> kinds = {PRUNER_MODELS(MODEL)};
#undef MODEL
  return kinds;
}

const ModelKind *pruner::findModel(const std::string &name,
                                   std::string &error) {
  error.clear();
  std::string known;
  for (const ModelKind *kind : modelKinds()) {
    if (kind->name() == name)
      return kind;
    known += (known.empty() ? "" : ", ") + kind->name();
  }
  error = "cost model '" + name + "': unknown model; expected one of " + known +
          didYouMean(name, modelKinds(),
                     [](const ModelKind *kind) { return kind->name(); });
  return nullptr;
}

const ModelKind *pruner::kindOf(const TensorFile &file, std::string &error) {
  for (const ModelKind *kind : modelKinds())
    if (kind->owns(file)) {
      error.clear();
      return kind;
    }
  return findModel(file.stated("model"), error);
}

CostModelOrError pruner::createCostModel(const std::string &name,
                                         const OptionValues &options,
                                         const std::string &plugin) {
  CostModelOrError result;
  if (const ModelKind *kind = findModel(name, result.error))
    result = kind->create(options, plugin);
  return result;
}

LoadedModel pruner::loadCostModel(const std::string &path) {
  LoadedModel result;
  result.error = readWeights(path, result.file);
  if (!result.error.empty())
    return result;
  if (const ModelKind *kind = kindOf(result.file, result.error))
    static_cast<CostModelOrError &>(result) = kind->create({});
  if (result.model)
    result.error = loadWeights(*result.model, result.file);
  if (!result.error.empty())
    result.model.reset();
  return result;
}

bool ModelKind::hasOption(const std::string &option) const {
  for (const OptionInfo &info : options())
    if (info.name == option)
      return true;
  return false;
}

bool ModelKind::owns(const TensorFile &file) const {
  return file.stated("model") == name();
}

std::string pruner::readNetworkOptions(const ModelKind &kind,
                                       const OptionValues &values,
                                       OptionTable &table,
                                       NetworkOptions &options) {
  // The adaptation comes first, because it has further options.
  if (auto adapt = values.find("adapt"); adapt != values.end())
    if (std::string error = table.read({*adapt}); !error.empty())
      return error;
  if (std::unique_ptr<Adaptation> adaptation =
          createAdaptation(options.adapt)) {
    if (std::string why = refuseAdaptation(kind, options.adapt); !why.empty())
      return "option 'adapt': " + why;
    adaptation->declare(table);
    options.adaptation = std::move(adaptation);
  }
  for (const auto &[name, value] : values)
    if (!table.has(name))
      if (const Adaptation *owner = adaptationWithOption(name))
        return "option '" + name + "' needs 'adapt=" + owner->name() + "'";
  return table.read(values);
}
