//===- CostModel.h - the interface of learned cost models -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cost model gives programs a score; a larger score means a faster program.
// Scores rank, they are not times: only their order within one call means
// anything. A model of latency (predictsSeconds) has times as well, which mean
// the same for programs of all tasks and may be added.
//
// The interface is header-only and std-only on purpose: it is implemented in
// code with other compiler flags (the LibTorch plug-in has exceptions, the rest
// of the project has not), and a polymorphic base whose key function lives in
// one of the two worlds cannot be subclassed from the other. No exception
// leaves an implementation.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_COSTMODEL_H
#define PRUNER_COSTMODEL_COSTMODEL_H

#include "pruner/CostModel/Features.h"

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace pruner {

/// What one call of CostModel::update did.
struct TrainingReport {
  /// False when the model chose not to train this time (no data, a model that
  /// cannot learn, momentum adaptation between two of its periods) or failed.
  bool trained = false;
  /// Training loss of the last epoch, in the model's own unit, per batch.
  double loss = 0.0;
  /// Epochs actually run; fewer than asked after an early stop.
  int epochs = 0;
  /// Wall-clock seconds.
  double seconds = 0.0;
  /// Why nothing was trained; empty after a success.
  std::string message;
};

/// A ranking model over program features. Not thread-safe: one caller at a
/// time.
class CostModel {
public:
  virtual ~CostModel() = default;

  /// The name it is asked for by, e.g. "pacm".
  virtual std::string name() const = 0;

  /// What it reads of a program, for prediction and training alike; the other
  /// parts need not be there.
  virtual FeatureParts reads() const = 0;

  /// One score per program, in order; larger = faster. A program whose parts
  /// are not valid (ProgramFeatures::isValid) scores -infinity. Always returns
  /// programs.size() scores; when the model itself fails they are all
  /// -infinity and lastError() tells why.
  virtual std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) = 0;

  /// Learns from *all* measurements known so far; the model keeps none of them
  /// (labels of old measurements change when a task's best improves).
  ///
  /// \p labels throughput relative to the best of the same task,
  ///    min_cost(task) / cost, in [0, 1]; 0 for a failed measurement.
  /// \p groups the task of each program: any integers, equal = same task.
  ///
  /// The three must have the same length; invalid programs and labels outside
  /// of [0, 1] are left out.
  virtual TrainingReport update(const std::vector<ProgramFeatures> &programs,
                                const std::vector<float> &labels,
                                const std::vector<int> &groups) = 0;

  /// Whether the weights are of the form that was published with the paper:
  /// they were trained by features as the released code extracts them, of
  /// programs of GPUs.
  virtual bool readsReleasedFeatures() const { return false; }

  /// Why the weights say nothing of programs of a CPU or a GPU; empty if they
  /// do.
  std::string refusal(bool gpu) const {
    return gpu || !readsReleasedFeatures()
               ? std::string()
               : "these weights are of the published form, and were trained by "
                 "programs of GPUs";
  }

  /// Whether this is a model of latency. Such models learn from seconds alone,
  /// and update() trains nothing.
  virtual bool predictsSeconds() const { return false; }

  /// Seconds of one run of each program, in order; NaN where predict() gives
  /// -infinity, and for all programs of a model that knows nothing yet or is
  /// none of latency.
  virtual std::vector<double>
  predictSeconds(const std::vector<ProgramFeatures> &programs) {
    return std::vector<double>(programs.size(),
                               std::numeric_limits<double>::quiet_NaN());
  }

  /// update() of a model of latency.
  ///
  /// \p seconds of one run; 0 where it is not known, or the program failed.
  /// \p target whether a program is of the domain (device, network) that the
  ///    model is to be good for, where it learns from others, too. Such
  ///    programs are of use without a time. Empty: there are no domains.
  virtual TrainingReport
  updateSeconds(const std::vector<ProgramFeatures> & /*programs*/,
                const std::vector<double> & /*seconds*/,
                const std::vector<char> & /*target*/) {
    TrainingReport report;
    report.message = name() + " is no model of latency";
    return report;
  }

  /// Why update() would train nothing, whatever it is given, although models of
  /// this name learn: a plug-in is missing. Empty if there is no such reason.
  virtual std::string cannotLearn() const { return {}; }

  /// Whether an update(), or updateSeconds(), that trained depends on its
  /// arguments alone and not on the updates before it. A run that continues
  /// then needs to repeat only the last of these to be where it was.
  virtual bool updatesFromScratch() const { return false; }

  /// What is known of how the weights came about, by free names: written to
  /// their file, and read with them.
  std::map<std::string, std::string> provenance;

  /// Writes the weights, with everything that scores depend on, to one file.
  /// Returns an empty string, or what went wrong.
  virtual std::string save(const std::string &path) const = 0;

  /// Reads what save() wrote. Returns an empty string, or what went wrong; the
  /// model is unchanged after an error.
  virtual std::string load(const std::string &path) = 0;

  /// One line for reports: variant, number of parameters, the library that
  /// multiplies matrices, the kernels it chose, threads, and what is wrong
  /// with that set-up, if anything.
  virtual std::string describe() const = 0;

  /// Why the last predict() scored everything -infinity; empty if it did not.
  virtual std::string lastError() const { return {}; }
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_COSTMODEL_H
