//===- Features.h - what a cost model sees of a program ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The currency between the analysis and the cost models: plain numbers, std
// types only, so that neither MLIR nor LibTorch leaks through. A program is
//
//   * a matrix of statement features, one row per distinct stored buffer
//     (164 columns of Ansor, 10 of TenSet), and
//   * a matrix of temporal dataflow features (Pruner, "pattern-aware cost
//     model"), 8 steps of data movement in temporal order, 23 columns each; all
//     zero when the program has none.
//
// and the terms of the analytical model, for models that take one row a
// program.
//
// Columns are already slog-transformed where the papers do so; scaling them
// further is the model's business, because the scales belong to the weights.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_FEATURES_H
#define PRUNER_COSTMODEL_FEATURES_H

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace pruner {

/// Columns of a statement row: 164 (Ansor) + 10 (TenSet's task flags).
constexpr int kStatementFeatureSize = 174;
/// Steps of the temporal dataflow sequence.
constexpr int kDataflowSteps = 8;
/// Columns of one step of the temporal dataflow sequence.
constexpr int kDataflowFeatureSize = 23;
/// Raised whenever the meaning, order or number of columns changes. Stored with
/// every weight file; weights of another schema are refused.
constexpr int kFeatureSchemaVersion = 2;
/// The same of `ProgramFeatures::terms`.
constexpr int kProgramTermsVersion = 1;

/// The parts of a program's features that a model reads.
struct FeatureParts {
  bool statements = false; ///< Statement rows and dataflow.
  bool terms = false;
};

/// The features of one scheduled program.
struct ProgramFeatures {
  /// rows x kStatementFeatureSize, row-major.
  std::vector<float> statements;
  /// Number of statement rows.
  int rows = 0;
  /// kDataflowSteps x kDataflowFeatureSize, row-major. All zero unless
  /// `hasDataflow`.
  std::array<float, kDataflowSteps * kDataflowFeatureSize> dataflow{};
  /// Whether the program has the data movement that `dataflow` states.
  bool hasDataflow = false;
  /// What the analytical model computes, one row for the whole program
  /// (Analysis/ProgramTerms.h).
  std::vector<float> terms;

  /// True when these parts are there, their sizes agree and every number is
  /// finite. Programs of which a model's parts fail this get the score
  /// -infinity from it.
  bool isValid(FeatureParts parts) const {
    auto finite = [](const auto &values) {
      for (float value : values)
        if (!std::isfinite(value))
          return false;
      return true;
    };
    if (parts.statements &&
        (rows <= 0 ||
         statements.size() !=
             static_cast<std::size_t>(rows) * kStatementFeatureSize ||
         !finite(statements) || !finite(dataflow)))
      return false;
    return !parts.terms || (!terms.empty() && finite(terms));
  }
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_FEATURES_H
