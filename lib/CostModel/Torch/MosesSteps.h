//===- MosesSteps.h - optimizer steps of Moses ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_TORCH_MOSESSTEPS_H
#define PRUNER_LIB_COSTMODEL_TORCH_MOSESSTEPS_H

#include "Moses.h"
#include "pruner/CostModel/Adaptation.h"

#include <ATen/ATen.h>

#include <optional>

namespace pruner {

/// Applies Moses.h to the parameters of a network during one update.
class MosesSteps {
public:
  /// \p source holds representations of the machine that the weights come from.
  /// If undefined, there is no adversary.
  MosesSteps(std::vector<at::Tensor> parameters, const at::Tensor &source,
             const PartialSteps &options);

  /// Computes the boundary from the gradients of the parameters. A parameter
  /// without a gradient took no part in any score; it belongs to neither side
  /// and does not change.
  void divide();

  /// Returns the gradient by the representations of a step's programs,
  /// [programs x width], after the share `done` (0 to 1) of the update.
  /// Undefined without an adversary.
  at::Tensor domainGradient(const at::Tensor &representations, double done);

  /// Call these before and after the optimizer's step with that learning rate.
  /// They undo the step of parameters that are not transferable and let them
  /// decay.
  void begin();
  void end(double learningRate);

private:
  std::vector<at::Tensor> parameters;
  PartialSteps options;
  std::optional<DomainClassifier> classifier;
  /// For each parameter a bool tensor of the transferable elements; undefined
  /// if it takes no part.
  std::vector<at::Tensor> transferable;
  std::vector<at::Tensor> before;
};

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_MOSESSTEPS_H
