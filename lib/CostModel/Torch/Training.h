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
// tasks with thousands of measurements do not outvote the others. The norm's
// statistics are taken once more by the weights of the end.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H
#define PRUNER_LIB_COSTMODEL_TORCH_TRAINING_H

#include "Network.h"
#include "Options.h"
#include "pruner/CostModel/CostModel.h"

namespace pruner {

/// Sets what \p network scales features by to what these programs' features
/// need: mean and standard deviation, or 0 and the maximum. Columns that do not
/// vary, or have no positive value, are not divided.
void computeScaling(const std::vector<const ProgramFeatures *> &programs,
                    bool standard, Network &network);

/// Gathers the programs with these indices, scales as \p network
/// does and moves them to its device.
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
