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
// program. Beside the program stands the schedule that makes it: a sequence of
// primitives, one row each (TLP), for which no program is looked at.
//
// Models of latency (CDMPP) take a program as a tree of loops: a row for every
// statement, which are its leaves, with the leaf's place in the tree, and what
// there is to say of the machine.
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
#include <string>
#include <vector>

namespace pruner {

/// Columns of a statement row: 164 (Ansor) + 10 (TenSet's task flags).
constexpr int kStatementFeatureSize = 174;
/// Steps of the temporal dataflow sequence.
constexpr int kDataflowSteps = 8;
/// Columns of one step of the temporal dataflow sequence.
constexpr int kDataflowFeatureSize = 23;
/// Of these the first, which are Ansor's.
constexpr int kAnsorFeatureSize = 164;
/// Columns that describe a machine (Analysis/DeviceFeatures.h).
constexpr int kDeviceFeatureSize = 12;
/// Raised whenever the meaning, order or number of columns changes. Stored with
/// every weight file; weights of another schema are refused.
constexpr int kFeatureSchemaVersion = 2;
/// The same of `ProgramFeatures::positions` and `device`, and of which
/// statements have rows beside them.
constexpr int kProgramTreeVersion = 1;
/// The same of `ProgramFeatures::terms`. A hash of the terms of fixed programs
/// stands beside it: a test computes it anew, and fails when a column has
/// changed its meaning and the version has not.
constexpr int kProgramTermsVersion = 2;
constexpr char kProgramTermsFingerprint[] = "9fc0d68d35d8224a975e886293974127";

/// Columns of a primitive: its type as a one-hot vector, then its parameters,
/// cropped (TLP, section 4.2).
constexpr int kPrimitiveFeatureSize = 22;
/// Primitives of a sequence that the published model reads.
constexpr int kPrimitiveSteps = 25;
/// The same as kFeatureSchemaVersion of `ProgramFeatures::primitives`.
constexpr int kPrimitivesVersion = 1;

/// The parts of a program's features that a model reads.
struct FeatureParts {
  bool statements = false; ///< Statement rows and dataflow.
  bool terms = false;
  bool primitives = false; ///< The schedule, in Pruner's primitives.
  /// The schedule in the primitives of the tuner that it was measured by, of
  /// records that have them; in the same place.
  bool recordedPrimitives = false;
  /// In place of `statements`: a row for every statement with its place in the
  /// tree of loops, and the machine.
  bool tree = false;

  /// Whether it takes a program, or the schedule alone.
  bool ofPrograms() const { return statements || tree || terms; }
  bool ofSchedules() const { return primitives || recordedPrimitives; }
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
  /// Of each row its leaf's index in the pre-order of the program's tree, in
  /// which every leaf is followed by a marker (CDMPP, section 4.1).
  std::vector<float> positions;
  /// The machine that runs it; kDeviceFeatureSize numbers.
  std::vector<float> device;
  /// What the analytical model computes, one row for the whole program
  /// (Analysis/ProgramTerms.h).
  std::vector<float> terms;
  /// A row of kPrimitiveFeatureSize for each primitive, in order and not
  /// cropped in number. Numbers are as they stand in the primitive.
  std::vector<float> primitives;
  /// The machine that runs it, by its name ("nvidia:v100"); of models of
  /// several platforms each has a head. Set with `primitives`.
  std::string platform;

  /// Rows of `primitives`.
  std::size_t primitiveSteps() const {
    return primitives.size() / kPrimitiveFeatureSize;
  }

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
    if ((parts.statements || parts.tree) &&
        (rows <= 0 ||
         statements.size() !=
             static_cast<std::size_t>(rows) * kStatementFeatureSize ||
         !finite(statements) || !finite(dataflow)))
      return false;
    if (parts.tree && (positions.size() != static_cast<std::size_t>(rows) ||
                       device.size() != kDeviceFeatureSize ||
                       !finite(positions) || !finite(device)))
      return false;
    if (parts.ofSchedules() &&
        (primitives.empty() || primitives.size() % kPrimitiveFeatureSize ||
         !finite(primitives)))
      return false;
    return !parts.terms || (!terms.empty() && finite(terms));
  }
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_FEATURES_H
