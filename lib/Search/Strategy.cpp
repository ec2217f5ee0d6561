//===- Strategy.cpp - the strategies by name ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Strategy.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

llvm::ArrayRef<const SearchStrategy *> pruner::searchStrategies() {
#define PRUNER_STRATEGY(function) &strategies::function(),
  static const SearchStrategy *const all[] = {
      PRUNER_SEARCH_STRATEGIES(PRUNER_STRATEGY)};
#undef PRUNER_STRATEGY
  return all;
}

const SearchStrategy *pruner::findSearchStrategy(llvm::StringRef name) {
  for (const SearchStrategy *strategy : searchStrategies())
    if (strategy->name() == name)
      return strategy;
  return nullptr;
}

std::string pruner::strategyNames(llvm::StringRef separator,
                                  bool (SearchStrategy::*property)() const) {
  std::string names;
  for (const SearchStrategy *strategy : searchStrategies())
    if (!property || (strategy->*property)())
      names += (names.empty() ? "'" : separator.str() + "'") +
               strategy->name().str() + "'";
  return names;
}

llvm::StringRef pruner::strategyHelp() {
  static const std::string help = [] {
    std::string text = "How candidates are proposed:";
    for (const SearchStrategy *strategy : searchStrategies())
      text += ("\n'" + strategy->name() + "': " + strategy->summary()).str();
    return text;
  }();
  return help;
}
