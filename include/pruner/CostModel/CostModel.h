//===- CostModel.h - the interface of learned cost models -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cost model scores programs; a larger score means a faster program. Scores
// only rank: their order within one call is meaningful, their values are not. A
// latency model also predicts times, which are comparable between tasks and may
// be added.
//
// The interface is header-only and uses only the standard library.
// Implementations are compiled with other flags (the LibTorch plug-in has
// exceptions, the rest of the project has not), and a polymorphic base class
// whose key function is compiled with one set of flags cannot be subclassed
// with the other. No exception leaves an implementation.

#ifndef PRUNER_COSTMODEL_COSTMODEL_H
#define PRUNER_COSTMODEL_COSTMODEL_H

#include "pruner/CostModel/Features.h"
#include "pruner/CostModel/Safetensors.h"

#include <string>
#include <vector>

namespace pruner {

/// The result of one call of CostModel::update.
struct TrainingReport {
  /// False if training failed or was skipped: there are no data, the model
  /// cannot learn, or momentum adaptation is between two of its periods.
  bool trained = false;
  /// Training loss of the last epoch, in the model's own unit, per batch.
  double loss = 0.0;
  /// Epochs that ran. Early stopping can make them fewer than requested.
  int epochs = 0;
  /// Wall-clock seconds.
  double seconds = 0.0;
  /// Why nothing was trained; empty after success.
  std::string message;
};

/// What a cost model can do that also predicts times. Not thread-safe.
class LatencyModel {
public:
  /// Predicts the seconds per run of each program, in order. NaN where
  /// CostModel::predict returns -infinity, and for all programs if the model is
  /// untrained.
  virtual std::vector<double>
  predictSeconds(const std::vector<ProgramFeatures> &programs) = 0;

  /// Trains on *all* measurements so far, instead of CostModel::update.
  ///
  /// \p seconds of one run; 0 if it is unknown or the program failed. \p target
  /// is set for programs of the target domain (device, network), if the model
  /// also trains on other domains. Such programs help even without a time.
  /// Empty: there are no domains.
  virtual TrainingReport
  updateSeconds(const std::vector<ProgramFeatures> &programs,
                const std::vector<double> &seconds,
                const std::vector<char> &target) = 0;

protected:
  ~LatencyModel() = default;
};

/// A ranking model over program features. Not thread-safe.
class CostModel {
public:
  virtual ~CostModel() = default;

  /// The name by which it is created, such as "pacm".
  virtual std::string name() const = 0;

  /// The parts of a program's features that the model reads, for prediction and
  /// training. Other parts may be absent.
  virtual FeatureParts reads() const = 0;

  /// Returns one score per program, in order; larger is faster. A program with
  /// invalid parts (ProgramFeatures::isValid) scores -infinity. If the model
  /// itself fails, all scores are -infinity and lastError() returns the reason.
  virtual std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) = 0;

  /// Whether spread() has a result. Callers ask first, so that they need not
  /// compute features in vain.
  virtual bool hasSpread() const { return false; }

  /// Returns how uncertain each score of predict() is, in order: larger is less
  /// certain; 0 for invalid programs. Empty without hasSpread().
  virtual std::vector<float> spread(const std::vector<ProgramFeatures> &) {
    return {};
  }

  /// Trains on *all* measurements so far. The model stores none of them,
  /// because labels of old measurements change when the best time of a task
  /// improves.
  ///
  /// \p labels are throughputs relative to the best of the same task,
  /// min_cost(task) / cost, in [0, 1]; 0 for a failed measurement. \p groups
  /// holds the task of each program: any integers, equal for the same task.
  ///
  /// All three must have the same length. Invalid programs and labels outside
  /// of [0, 1] are skipped.
  virtual TrainingReport update(const std::vector<ProgramFeatures> &programs,
                                const std::vector<float> &labels,
                                const std::vector<int> &groups) = 0;

  /// The latency model that this is, or null. Latency models train with
  /// updateSeconds() only; their update() does nothing.
  virtual LatencyModel *latency() { return nullptr; }

  /// Returns why the weights cannot score programs of a CPU or GPU; empty if
  /// they can.
  std::string refusal(bool gpu) const {
    return gpu || !reads().released
               ? std::string()
               : "weights in the published format were trained on GPU programs "
                 "only";
  }

  /// Returns why update() cannot train although models of this name can, for
  /// example because a plug-in is missing. Empty if it can.
  virtual std::string cannotLearn() const { return {}; }

  /// Whether a successful update(), or updateSeconds(), depends on its
  /// arguments only and not on earlier updates. A resumed run then repeats only
  /// the last update to restore the model.
  virtual bool updatesFromScratch() const { return false; }

  /// Adds the weights and everything else that scores depend on to \p file,
  /// whose metadata may hold other facts. Returns an empty string or an error.
  virtual std::string save(TensorFile &file) const = 0;

  /// Takes the weights of a file that save() made. Returns an empty string or
  /// an error; the model is unchanged after an error.
  virtual std::string load(const TensorFile &file) = 0;

  /// One line for reports: variant, number of parameters, the BLAS library and
  /// its kernels, threads, and a warning about that setup if there is one.
  virtual std::string describe() const = 0;

  /// Why the last predict() returned -infinity for all programs; empty if it
  /// did not.
  virtual std::string lastError() const { return {}; }
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_COSTMODEL_H
