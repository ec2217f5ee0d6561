//===- DraftVerify.h - draft, then order by the learned model ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SEARCH_STRATEGIES_DRAFTVERIFY_H
#define PRUNER_LIB_SEARCH_STRATEGIES_DRAFTVERIFY_H

#include "pruner/Search/Strategy.h"

namespace pruner {

/// Algorithms 1 and 2 of Pruner (ASPLOS 2025). Random schedules evolve under
/// the analytical model, and the best are kept as drafts. The learned model
/// scores only drafts, the random schedules of the round and the best measured
/// schedules. Without a learned model, children of the fastest measured
/// schedules take the place of its choice.
struct DraftVerify : SearchStrategy {
  /// The number of rounds that use the same drafts.
  unsigned redraftPeriod = 2;
  /// The number of measurements of a task after which a learned model that was
  /// not trained before orders half of a batch, and the analytical model the
  /// other half; after n measurements the learned model orders
  /// n / (n + trustAfter). For a pretrained model, setDraftShare() sets the
  /// share. This rule is not from the paper; see
  /// docs/design/decisions/0005-trust-in-the-model.md and
  /// 0024-trust-by-disagreements.md.
  unsigned trustAfter = 50;
  /// The same for children of measured schedules if there is no learned model.
  unsigned childrenAfter = 12;

  llvm::StringRef name() const override { return "draft-verify"; }
  llvm::StringRef summary() const override {
    return "evolution under the analytical model, then one generation under "
           "the learned model";
  }
  bool usesModel() const override { return true; }
  bool measuresKnown() const override { return true; }
  std::unique_ptr<TaskSearch>
  createSearch(const ScheduleSpace &space, CostModel *model,
               const SearchOptions &options) const override;
};

} // namespace pruner

#endif // PRUNER_LIB_SEARCH_STRATEGIES_DRAFTVERIFY_H
