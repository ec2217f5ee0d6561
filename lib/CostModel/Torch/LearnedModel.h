//===- LearnedModel.h - what the learned models have in common  -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_LEARNEDMODEL_H
#define PRUNER_LIB_COSTMODEL_TORCH_LEARNEDMODEL_H

#include "Options.h"
#include "pruner/CostModel/CostModel.h"

#include <ATen/ATen.h>

#include <functional>

namespace pruner {

/// Sorts out programs that cannot be scored or learned from, keeps exceptions
/// in, and knows when training goes on from present weights.
class LearnedModel : public CostModel {
public:
  std::string name() const override { return modelName; }
  std::string lastError() const override { return error; }
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override;
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override;

protected:
  using Programs = std::vector<const ProgramFeatures *>;

  LearnedModel(std::string name, const ModelOptions &options);

  virtual bool isUsable(const ProgramFeatures &program) const = 0;
  /// Scores of usable programs; only asked for when `ready`. May throw.
  virtual void score(const Programs &programs, float *scores) = 0;
  /// Usable programs, at least two. May throw.
  virtual TrainingReport train(const Programs &programs,
                               const std::vector<float> &labels,
                               const std::vector<int> &groups) = 0;
  /// Why this call of update() trains nothing, if it does not.
  virtual std::string reasonToSkip() { return {}; }

  /// Threads are one setting per process; models with other options may share
  /// it.
  void useThreads() const;
  /// Whether training goes on from the present weights.
  bool continues() const {
    return options.adapt == "auto" ? loaded : options.adapt != "scratch";
  }
  /// Whether the scaling of the features stays as it was loaded or first seen.
  bool keepsScaling() const {
    return options.normalization == "keep" ||
           (options.normalization == "auto" && loaded);
  }
  /// Scores so many programs in chunks; `forward` gives those of the programs
  /// with these indices, on whatever device.
  static void
  scoreInChunks(std::size_t count, std::size_t chunk,
                const std::function<at::Tensor(const std::size_t *indices,
                                               std::size_t count)> &forward,
                float *scores);
  /// "pacm: 417409 parameters, LibTorch 2.5, OpenBLAS ..., 1 thread".
  std::string describeWith(std::int64_t parameters) const;

  /// Why an update cannot adapt, as weights are missing that it would adapt.
  std::string lacksWeights() const;

  std::string modelName;
  ModelOptions options;
  at::Device device;
  /// Weights came from a file / mean something at all.
  bool loaded = false, ready = false;
  std::string error;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_LEARNEDMODEL_H
