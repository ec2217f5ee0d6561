//===- Training.h - what the learned model is taught ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SEARCH_TRAINING_H
#define PRUNER_SEARCH_TRAINING_H

#include "pruner/Analysis/Features.h"
#include "pruner/CostModel/CostModel.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Search/Search.h"

namespace pruner {

/// The measurements of all tasks of a run, which train one model together.
/// Labels are best time / time within a task, 0 for failures, and change
/// when a task's best improves.
class TrainingData {
public:
  /// `parts`: those that the model reads.
  explicit TrainingData(FeatureParts parts, FeatureOptions options = {},
                        PsaOptions psa = {})
      : parts(parts), options(options), psa(psa) {}

  void add(int task, const ScheduleSpace &space,
           llvm::ArrayRef<Observation> observations);
  /// Trains with the first `count` measurements, as if the later ones had not
  /// been made yet.
  TrainingReport train(CostModel &model, size_t count) const;
  TrainingReport train(CostModel &model) const { return train(model, size()); }
  size_t size() const { return programs.size(); }
  /// What the model says of the measured programs from `begin` to `end`.
  std::vector<float> scores(CostModel &model, size_t begin, size_t end) const;
  /// The labels that the first `count` measurements have without the later
  /// ones.
  std::vector<float> labels(size_t count) const;
  std::vector<float> labels() const { return labels(size()); }

private:
  FeatureParts parts;
  FeatureOptions options;
  PsaOptions psa;
  std::vector<ProgramFeatures> programs;
  std::vector<std::optional<double>> seconds;
  std::vector<int> groups;
};

} // namespace pruner

#endif // PRUNER_SEARCH_TRAINING_H
