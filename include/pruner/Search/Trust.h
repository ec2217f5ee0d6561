//===- Trust.h - how far a learned model is believed ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights that were trained elsewhere may know this machine, or another one.
// What is measured tells: of two candidates of a batch that the learned model
// and the draft model order differently, one of the two was right.
//
//   batch: A 1.0 ms, B 1.3 ms, C 1.0 ms
//   draft: A before B before C; model: C before A before B
//
// A and B they order alike, A and C are equally fast, and of B and C the model
// was right: one pair for the model, none for the draft.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SEARCH_TRUST_H
#define PRUNER_SEARCH_TRUST_H

#include "pruner/Search/Search.h"

namespace pruner {

/// Pairs of candidates by who ordered them right where the two models differ.
/// Only candidates that were measured and scored count, and only pairs whose
/// times differ by more than 3 %, the least that a shared machine reproduces.
class Disagreements {
public:
  /// Takes over the pairs of a batch, all scored by the model in one state.
  void add(llvm::ArrayRef<Observation> batch);

  unsigned modelWasRight() const { return forModel; }
  unsigned draftWasRight() const { return forDraft; }

  /// The share of a batch that the draft model's order gets beside a model that
  /// was trained before: none as long as the draft is right in a third of the
  /// pairs or less, all from two thirds on, and linear in between. 15 pairs for
  /// the model and 5 for the draft are taken for granted.
  double draftShare() const;

private:
  unsigned forModel = 0, forDraft = 0;
};

} // namespace pruner

#endif // PRUNER_SEARCH_TRUST_H
