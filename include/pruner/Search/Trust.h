//===- Trust.h - the share of the learned model in a batch ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded weights may fit this machine or not. Measurements decide: if the
// learned model and the analytical model order two candidates of a batch
// differently, one of the models was right.
//
//     batch:      A 1.0 ms, B 1.3 ms, C 1.0 ms
//     analytical: A before B before C
//     learned:    C before A before B
//
// Both models order A and B the same way, A and C are equally fast, and the
// learned model was right about B and C. This gives one pair for the learned
// model and none for the analytical model.

#ifndef PRUNER_SEARCH_TRUST_H
#define PRUNER_SEARCH_TRUST_H

#include "pruner/Search/Search.h"

namespace pruner {

/// Counts the pairs on which the models disagree, by the model that was right.
/// Only candidates that were measured and scored count, and only pairs whose
/// times differ by more than 3 %, the least that a shared machine reproduces.
class Disagreements {
public:
  /// Adds the pairs of a batch. All candidates must be scored by the same state
  /// of the model.
  void add(llvm::ArrayRef<Trial> batch);

  unsigned modelWasRight() const { return forModel; }
  unsigned draftWasRight() const { return forDraft; }

  /// Returns the share of a batch that the analytical model orders, for a
  /// learned model that was trained before: 0 if the analytical model is right
  /// in at most a third of the pairs, 1 from two thirds on, and linear in
  /// between. The counts start at 15 pairs for the learned and 5 for the
  /// analytical model.
  double draftShare() const;

private:
  unsigned forModel = 0, forDraft = 0;
};

} // namespace pruner

#endif // PRUNER_SEARCH_TRUST_H
