//===- NaiveNetwork.h - naive reference networks ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PaCM, TenSetMLP and TLP, implemented layer by layer in double precision from
// the tensors of a weight file, without the rearrangements of the real ones.

#ifndef PRUNER_TEST_UNIT_COSTMODEL_TORCH_NAIVENETWORK_H
#define PRUNER_TEST_UNIT_COSTMODEL_TORCH_NAIVENETWORK_H

#include "pruner/CostModel/Features.h"
#include "pruner/CostModel/Safetensors.h"

#include <string>
#include <vector>

namespace pruner_test {

/// Scores of the programs. \p batchStatistics: normalize with the statistics of
/// these programs.
std::vector<double>
naiveScores(const pruner::TensorFile &file,
            const std::vector<pruner::ProgramFeatures> &programs,
            bool batchStatistics);

/// The same for TLP, whose file describes its network.
std::vector<double>
naiveTlpScores(const pruner::TensorFile &file,
               const std::vector<pruner::ProgramFeatures> &programs);

} // namespace pruner_test

#endif // PRUNER_TEST_UNIT_COSTMODEL_TORCH_NAIVENETWORK_H
