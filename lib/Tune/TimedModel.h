//===- TimedModel.h - a model whose predictions are timed -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_TIMEDMODEL_H
#define PRUNER_LIB_TUNE_TIMEDMODEL_H

#include "Stopwatch.h"

#include "pruner/CostModel/CostModel.h"

#include <mutex>

namespace pruner {

/// Forwards all calls to a model. Predictions run one at a time, and their time
/// is added to a counter.
class TimedModel : public CostModel {
public:
  TimedModel(CostModel &model, std::mutex &turn, double &seconds)
      : model(model), turn(turn), seconds(seconds) {}
  std::string name() const override { return model.name(); }
  FeatureParts reads() const override { return model.reads(); }
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override {
    std::lock_guard<std::mutex> lock(turn);
    Stopwatch watch(seconds);
    return model.predict(programs);
  }
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override {
    return model.update(programs, labels, groups);
  }
  bool updatesFromScratch() const override {
    return model.updatesFromScratch();
  }
  std::string save(TensorFile &file) const override { return model.save(file); }
  std::string load(const TensorFile &file) override { return model.load(file); }
  std::string describe() const override { return model.describe(); }
  std::string lastError() const override { return model.lastError(); }

private:
  CostModel &model;
  std::mutex &turn;
  double &seconds;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_TIMEDMODEL_H
