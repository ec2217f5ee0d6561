//===- Training.h - one training run ----------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One training run over all measurements, as in the papers: Adam (or plain
// SGD), shuffled batches, LambdaRank, gradients clipped, stopped early when the
// smoothed training loss no longer falls. The last epoch's weights are kept,
// not the best ones.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H
#define PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H

#include "Network.h"
#include "Options.h"
#include "pruner/CostModel/CostModel.h"

namespace pruner {

/// Sets the column maxima of \p network to those of \p programs (1 where a
/// column has no positive value).
void computeMaxima(const std::vector<const ProgramFeatures *> &programs,
                   Network &network);

/// Gathers the programs with these indices, divides by the maxima of \p network
/// and moves them to its device.
Batch makeBatch(const Network &network,
                const std::vector<const ProgramFeatures *> &programs,
                const std::size_t *indices, std::size_t count);

/// Trains \p network in place, on its device. Programs are valid, at least two;
/// labels and groups belong to them. When the numbers leave the finite range
/// the report says so, `trained` is false and \p network must be thrown away.
TrainingReport
trainNetwork(Network &network,
             const std::vector<const ProgramFeatures *> &programs,
             const std::vector<float> &labels, const std::vector<int> &groups,
             const ModelOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H
