//===- NaiveNetwork.h - the networks, naively -------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PaCM, TenSetMLP and TLP written down layer by layer in double precision,
// without any of the rearrangements of the real ones, from the tensors of a
// weight file.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TEST_UNIT_COSTMODEL_TORCH_NAIVENETWORK_H
#define PRUNER_TEST_UNIT_COSTMODEL_TORCH_NAIVENETWORK_H

#include "pruner/CostModel/Features.h"
#include "pruner/CostModel/Safetensors.h"

#include <string>
#include <vector>

namespace pruner_test {

/// Scores of the programs. \p batchStatistics: normalise with the statistics of
/// these programs.
std::vector<double>
naiveScores(const pruner::TensorFile &file,
            const std::vector<pruner::ProgramFeatures> &programs,
            bool batchStatistics);

/// The same of TLP, whose file says what its weights are for.
std::vector<double>
naiveTlpScores(const pruner::TensorFile &file,
               const std::vector<pruner::ProgramFeatures> &programs);

} // namespace pruner_test

#endif // PRUNER_TEST_UNIT_COSTMODEL_TORCH_NAIVENETWORK_H
