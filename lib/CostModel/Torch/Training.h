//===- Training.h - one training run ----------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One training run over all measurements. A step ranks the lists of a few
// tasks, each within itself; every epoch has as many of each task, so that
// tasks with thousands of measurements do not outvote the others.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H
#define PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H

#include "Options.h"
#include "pruner/CostModel/CostModel.h"

#include <ATen/ATen.h>

#include <torch/optim/optimizer.h>

#include <memory>

namespace pruner {

/// Programs that are ranked against each other, by their numbers.
using ProgramList = std::vector<std::size_t>;

/// What a training run sees of a network and of the programs it learns from.
class Trainee {
public:
  virtual ~Trainee() = default;
  virtual at::Device device() const = 0;
  /// Before the first step. Returns what is trained, recording gradients.
  virtual std::vector<at::Tensor> begin() = 0;
  /// Scores of these programs in their order, recorded for autograd. A share
  /// `dropout` of some activations is left out, by lots of \p generator.
  virtual at::Tensor forward(const ProgramList &list, double dropout,
                             at::Generator generator) = 0;
  /// What the last forward() made the scores of, recorded for autograd:
  /// representations of its programs, [programs x width].
  virtual at::Tensor representations() const = 0;
  /// After the last step. `lists` have equally many programs of every task, to
  /// take statistics of.
  virtual void finish(const std::vector<ProgramList> &lists) = 0;
};

/// As the options say.
std::unique_ptr<torch::optim::Optimizer>
makeOptimizer(const std::vector<at::Tensor> &parameters,
              const ModelOptions &options);

/// Sets and returns the learning rate when that share of the steps, from 0 to
/// 1, is done.
double setLearningRate(torch::optim::Optimizer &optimizer, double done,
                       const ModelOptions &options);

/// Joins lists from \p begin on until they have \p least programs. Returns the
/// number of the list behind.
std::size_t gatherLists(const std::vector<ProgramList> &lists,
                        std::size_t begin, std::size_t least,
                        ProgramList &programs, std::vector<unsigned> &lengths);

/// Trains a network in place, on its device. Programs are valid, at least two;
/// labels and groups are theirs. When the numbers leave the finite range
/// the report says so, `trained` is false and the network must be thrown away.
/// \p source: representations that the weights come with (SourceSample.h), for
/// "moses"; may be undefined.
TrainingReport trainNetwork(Trainee &network, const std::vector<float> &labels,
                            const std::vector<int> &groups,
                            const ModelOptions &options,
                            const at::Tensor &source = {});

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H
