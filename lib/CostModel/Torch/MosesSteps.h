//===- MosesSteps.h - the steps of a network under Moses --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_MOSESSTEPS_H
#define PRUNER_LIB_COSTMODEL_TORCH_MOSESSTEPS_H

#include "Moses.h"
#include "Options.h"

#include <ATen/ATen.h>

#include <optional>

namespace pruner {

/// What Moses.h says, for the parameters of one update of a network.
class MosesSteps {
public:
  /// \p source: representations of the machine that the weights come from;
  /// undefined if nothing is known of it, and then there is no adversary.
  MosesSteps(std::vector<at::Tensor> parameters, const at::Tensor &source,
             const ModelOptions &options);

  /// Finds the boundary by the parameters' gradients. What has none, as it took
  /// no part in any score, is on neither side and stays as it is.
  void divide();

  /// The gradient by the representations of a step's programs, [programs x
  /// width], after `done` (0 to 1) of the update; undefined without an
  /// adversary.
  at::Tensor domainGradient(const at::Tensor &representations, double done);

  /// Before and after the optimizer's step at that learning rate: undoes it
  /// where a parameter is not transferable, and lets that decay.
  void begin();
  void end(double learningRate);

private:
  std::vector<at::Tensor> parameters;
  const ModelOptions &options;
  std::optional<DomainClassifier> classifier;
  /// Of each parameter: what is transferable, bool; undefined if it takes no
  /// part.
  std::vector<at::Tensor> transferable;
  std::vector<at::Tensor> before;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_MOSESSTEPS_H
