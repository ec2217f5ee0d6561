//===- Registry.cpp - the list of adaptations -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptations.h"
#include "pruner/CostModel/ModelKind.h"
#include "pruner/Support/NearestName.h"

using namespace pruner;

using Create = std::unique_ptr<Adaptation> (*)();
#define ADAPTATION(name) create##name,
static constexpr Create kAll[] = {PRUNER_ADAPTATIONS(ADAPTATION)};
#undef ADAPTATION

const std::vector<std::unique_ptr<Adaptation>> &pruner::adaptations() {
  static const std::vector<std::unique_ptr<Adaptation>> all = [] {
    std::vector<std::unique_ptr<Adaptation>> all;
    for (Create create : kAll)
      all.push_back(create());
    return all;
  }();
  return all;
}

std::unique_ptr<Adaptation> pruner::createAdaptation(const std::string &name) {
  for (Create create : kAll)
    if (std::unique_ptr<Adaptation> adaptation = create();
        adaptation->name() == name)
      return adaptation;
  return nullptr;
}

const Adaptation *pruner::adaptationWithOption(const std::string &option) {
  for (const std::unique_ptr<Adaptation> &each : adaptations()) {
    OptionTable table;
    each->declare(table);
    if (table.has(option))
      return each.get();
  }
  return nullptr;
}

std::string pruner::defaultAdaptation(bool hasWeights) {
  return (hasWeights ? createFineTune() : createScratch())->name();
}

std::string pruner::refuseAdaptation(const ModelKind &model,
                                     const std::string &name) {
  std::unique_ptr<Adaptation> adaptation = createAdaptation(name);
  if (!adaptation) {
    std::string known;
    for (const std::unique_ptr<Adaptation> &each : adaptations())
      known += ", '" + each->name() + "'";
    return "'" + name + "' is unknown; expected one of 'auto'" + known +
           didYouMean(name, adaptations(),
                      [](const auto &each) { return each->name(); });
  }
  for (Ability ability : adaptation->needs())
    if (std::string lack = model.lacks(ability); !lack.empty())
      return lack;
  return {};
}
