//===- LearnedModel.h - common base of the learned models -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_TORCH_LEARNEDMODEL_H
#define PRUNER_LIB_COSTMODEL_TORCH_LEARNEDMODEL_H

#include "pruner/CostModel/CostModel.h"
#include "pruner/CostModel/Models/NetworkOptions.h"

#include <ATen/ATen.h>

#include <functional>

namespace pruner {

/// LibTorch's number of threads during its lifetime. The number belongs to the
/// whole process, where the user may have set another one.
class ThreadCount {
public:
  explicit ThreadCount(std::int64_t threads);
  ~ThreadCount();
  ThreadCount(const ThreadCount &) = delete;
  ThreadCount &operator=(const ThreadCount &) = delete;

private:
  int before;
};

/// Skips programs that cannot be scored or trained on, catches exceptions, and
/// decides when training continues from the current weights.
class LearnedModel : public CostModel {
public:
  std::string name() const override { return modelName; }
  std::string lastError() const override { return error; }
  bool updatesFromScratch() const override {
    return !continues() && !keepsScaling();
  }
  std::string save(TensorFile &file) const override;
  std::string load(const TensorFile &file) override;
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override;
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override;

protected:
  using Programs = std::vector<const ProgramFeatures *>;

  LearnedModel(std::string name, const NetworkOptions &options);

  virtual bool isUsable(const ProgramFeatures &program) const = 0;
  /// Scores valid programs. Called only if `ready`. May throw.
  virtual void score(const Programs &programs, float *scores) = 0;
  /// Trains on valid programs, at least two. May throw.
  virtual TrainingReport train(const Programs &programs,
                               const std::vector<float> &labels,
                               const std::vector<int> &groups) = 0;
  /// save() and load(). May throw.
  virtual void write(TensorFile &file) const = 0;
  virtual std::string read(const TensorFile &file) = 0;
  /// Returns why this call of update() trains nothing, or an empty string.
  virtual std::string reasonToSkip() { return {}; }

  /// Whether training continues from the current weights.
  bool continues() const {
    return common.adaptation ? common.adaptation->usesWeights() : loaded;
  }
  /// Whether the scaling of the features stays as loaded or first computed.
  bool keepsScaling() const {
    return common.normalization == "keep" ||
           (common.normalization == "auto" && loaded);
  }
  /// Scores this many programs in chunks. `forward` returns the scores of the
  /// programs with the given indices, on any device.
  static void
  scoreInChunks(std::size_t count, std::size_t chunk,
                const std::function<at::Tensor(const std::size_t *indices,
                                               std::size_t count)> &forward,
                float *scores);
  /// "pacm: 417409 parameters, LibTorch 2.5, OpenBLAS ..., 1 thread".
  std::string describeWith(std::int64_t parameters) const;

  std::string modelName;
  NetworkOptions common;
  at::Device device;
  /// Whether weights were loaded from a file, and whether there are meaningful
  /// weights.
  bool loaded = false, ready = false;
  std::string error;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_LEARNEDMODEL_H
