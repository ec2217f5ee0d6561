//===- Training.h - the training data of the learned model ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SEARCH_TRAINING_H
#define PRUNER_SEARCH_TRAINING_H

#include "pruner/Analysis/Features.h"
#include "pruner/CostModel/CostModel.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Search/Search.h"

namespace pruner {

/// The measurements of all tasks of a run, which train one model. The label of
/// a program is the best time of its task divided by its own time, and 0 for
/// failures. Labels change when the best time of a task improves.
class TrainingData {
public:
  /// `parts` are the inputs of the model.
  explicit TrainingData(FeatureParts parts, FeatureOptions options = {},
                        PsaOptions psa = {})
      : parts(parts), options(options), psa(psa) {}

  /// Adds measured trials of one task.
  void add(const ScheduleSpace &space, llvm::ArrayRef<Trial> trials);
  /// Trains on the first `count` measurements, as if there were no later ones.
  TrainingReport train(CostModel &model, size_t count) const;
  TrainingReport train(CostModel &model) const { return train(model, size()); }
  size_t size() const { return programs.size(); }
  /// Returns the model's scores of the programs in [begin, end).
  std::vector<float> scores(CostModel &model, size_t begin, size_t end) const;
  /// Returns the labels of the first `count` measurements, without the later
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
