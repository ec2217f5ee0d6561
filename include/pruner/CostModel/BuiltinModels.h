//===- BuiltinModels.h - models that need no plug-in ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small cost models without dependencies: a random baseline and a linear model.

#ifndef PRUNER_COSTMODEL_BUILTINMODELS_H
#define PRUNER_COSTMODEL_BUILTINMODELS_H

#include "pruner/CostModel/CostModel.h"

#include <cstdint>
#include <memory>

namespace pruner {

/// Scores are independent uniform numbers in [0, 1) from a seeded generator.
/// This is the baseline for learned models. It never trains and has no weights.
std::unique_ptr<CostModel> createRandomModel(std::uint64_t seed = 0);

/// Ridge regression of the label on the statement features, which are summed
/// over the statements of a program and scaled by the maximum of each column in
/// the training data. It is deterministic and trains in milliseconds. Before
/// the first update every valid program scores 0.
///
/// \p ridge is the penalty on squared weights, relative to the mean diagonal of
/// the normal equations.
std::unique_ptr<CostModel> createLinearModel(double ridge = 1e-3);

} // namespace pruner

#endif // PRUNER_COSTMODEL_BUILTINMODELS_H
