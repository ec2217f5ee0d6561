//===- BuiltinModels.h - models that need no plug-in ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small cost models without dependencies: a baseline that knows nothing, and
// one that learns as much as a linear model can.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_BUILTINMODELS_H
#define PRUNER_COSTMODEL_BUILTINMODELS_H

#include "pruner/CostModel/CostModel.h"

#include <cstdint>
#include <memory>

namespace pruner {

/// Scores are independent uniform numbers in [0, 1) from a seeded generator:
/// the baseline that a learned model has to beat. Never trains; nothing to
/// save.
std::unique_ptr<CostModel> createRandomModel(std::uint64_t seed = 0);

/// Ridge regression of the label on the statement features, summed over the
/// statements of a program (scaled by the largest value of each column seen in
/// training). Deterministic, trains in milliseconds. Until the first update
/// every valid program scores 0.
///
/// \p ridge the penalty on squared weights, relative to the mean diagonal of
///    the normal equations.
std::unique_ptr<CostModel> createLinearModel(double ridge = 1e-3);

} // namespace pruner

#endif // PRUNER_COSTMODEL_BUILTINMODELS_H
