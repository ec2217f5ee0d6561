//===- Training.h - one training run ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One training run over all measurements. A step ranks the lists of a few
// tasks, each list within itself. Every epoch has equally many lists of each
// task, so that tasks with thousands of measurements do not dominate. The
// programs of a task must be in the order of their measurement, because lists
// can be of early or of late ones (RankingOptions::earlyTrials).

#ifndef PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H
#define PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H

#include "pruner/CostModel/CostModel.h"
#include "pruner/CostModel/Models/NetworkOptions.h"

#include <ATen/ATen.h>

#include <torch/optim/optimizer.h>

#include <memory>

namespace pruner {

/// Programs that are ranked against each other, by index.
using ProgramList = std::vector<std::size_t>;

/// The network and the training data, as a training run accesses them.
class Trainee {
public:
  virtual ~Trainee() = default;
  virtual at::Device device() const = 0;
  /// Called before the first step. Returns the parameters to train, recording
  /// gradients.
  virtual std::vector<at::Tensor> begin() = 0;
  /// Returns the scores of these programs in their order, recorded for
  /// autograd. Applies dropout with probability `dropout`, drawn from \p
  /// generator.
  virtual at::Tensor forward(const ProgramList &list, double dropout,
                             at::Generator generator) = 0;
  /// The representations from which the last forward() computed the scores,
  /// recorded for autograd, [programs x width].
  virtual at::Tensor representations() const = 0;
  /// Called after the last step. `lists` hold equally many programs of every
  /// task, to compute statistics from.
  virtual void finish(const std::vector<ProgramList> &lists) = 0;
};

/// Creates the optimizer of the options.
std::unique_ptr<torch::optim::Optimizer>
makeOptimizer(const std::vector<at::Tensor> &parameters,
              const NetworkOptions &options);

/// Sets and returns the learning rate after the share `done` of the steps, from
/// 0 to 1.
double setLearningRate(torch::optim::Optimizer &optimizer, double done,
                       const NetworkOptions &options);

/// Joins lists from \p begin until they have \p least programs. Returns the
/// index after the last joined list.
std::size_t gatherLists(const std::vector<ProgramList> &lists,
                        std::size_t begin, std::size_t least,
                        ProgramList &programs, std::vector<unsigned> &lengths);

/// Trains a network in place, on its device. There must be at least two
/// programs, all valid; labels and groups are theirs. If training diverges, the
/// report says so, `trained` is false, and the network must be discarded. \p
/// source holds the representations that are stored with the weights
/// (SourceSample.h), for PartialSteps; it may be undefined.
TrainingReport trainNetwork(Trainee &network, const std::vector<float> &labels,
                            const std::vector<int> &groups,
                            const RankingOptions &options,
                            const at::Tensor &source = {});

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H
