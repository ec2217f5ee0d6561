//===- Strategy.h - ways to search for schedules ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strategy is one class in lib/Search/Strategies. Its methods return facts
// that a run needs before it starts (its name, whether it uses a learned
// model), its fields are its own options, and it creates the search of each
// task (Search.h). It has no state of a run.
//
// To add a strategy, write its file with a function that returns it, and add
// the name of that function to PRUNER_SEARCH_STRATEGIES. Help texts, errors and
// tests follow from this list.

#ifndef PRUNER_SEARCH_STRATEGY_H
#define PRUNER_SEARCH_STRATEGY_H

#include "pruner/Search/Search.h"

namespace pruner {

class SearchStrategy {
public:
  virtual ~SearchStrategy() = default;

  /// The value of the option `strategy`. Records and run identities contain it.
  virtual llvm::StringRef name() const = 0;
  /// A phrase for the help text: the source of the candidates.
  virtual llvm::StringRef summary() const = 0;

  /// Whether a learned model, if there is one, ranks candidates.
  virtual bool usesModel() const { return false; }
  /// Whether a tuning run needs a learned model.
  virtual bool needsModel() const { return false; }
  /// Whether the first round also measures the default schedule of the space
  /// and the schedules of similar tasks. False if the order of the candidates
  /// defines the strategy.
  virtual bool measuresKnown() const { return false; }
  /// The options of a tuning run.
  virtual SearchOptions defaults() const { return {}; }

  /// Creates the search of one task. `model` may be null; `space` and `model`
  /// must outlive the search.
  virtual std::unique_ptr<TaskSearch>
  createSearch(const ScheduleSpace &space, CostModel *model,
               const SearchOptions &options) const = 0;
};

/// All strategies, in the order of help texts.
#define PRUNER_SEARCH_STRATEGIES(STRATEGY)                                     \
  STRATEGY(draftVerify)                                                        \
  STRATEGY(learnedAll)                                                         \
  STRATEGY(draftOnly)                                                          \
  STRATEGY(genetic)                                                            \
  STRATEGY(randomSearch)                                                       \
  STRATEGY(exhaustive)                                                         \
  STRATEGY(survey)

namespace strategies {
#define PRUNER_STRATEGY(function) const SearchStrategy &function();
PRUNER_SEARCH_STRATEGIES(PRUNER_STRATEGY)
#undef PRUNER_STRATEGY
} // namespace strategies

llvm::ArrayRef<const SearchStrategy *> searchStrategies();

/// Returns null if no strategy has this name.
const SearchStrategy *findSearchStrategy(llvm::StringRef name);

/// Returns the names of the strategies with a property (of all by default), in
/// quotes and joined by `separator`.
std::string strategyNames(llvm::StringRef separator,
                          bool (SearchStrategy::*property)() const = nullptr);

/// Returns the help text of the option `strategy`, with one line per strategy.
llvm::StringRef strategyHelp();

} // namespace pruner

#endif // PRUNER_SEARCH_STRATEGY_H
