//===- Features.h - features of programs ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between the analysis and the cost models: plain numbers in
// standard types, so that neither depends on MLIR or LibTorch. Each model reads
// some of these parts:
//
//   * a matrix of statement features, one row per distinct stored buffer
//     (164 columns of Ansor, 10 of TenSet);
//   * a matrix of temporal dataflow features (Pruner, "pattern-aware cost
//     model"): 8 steps of data movement in temporal order, 23 columns each, all
//     zero if the program has none;
//   * the terms of the analytical model, one row per program;
//   * the schedule as a sequence of primitives, one row each (TLP), which needs
//     no program;
//   * the program as a tree of loops (CDMPP): a row for every statement, which
//     is a leaf, with its position in the tree, and numbers that describe the
//     machine.
//
// Columns are slog-transformed where the papers do so. Models scale them
// further; the scales are part of the weights.

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
/// The first of these columns, which are Ansor's.
constexpr int kAnsorFeatureSize = 164;
/// Columns that describe a machine (Analysis/DeviceFeatures.h).
constexpr int kDeviceFeatureSize = 12;
/// Increased whenever the meaning, order or number of columns changes. Every
/// weight file stores it, and weights of another version are rejected.
constexpr int kFeatureSchemaVersion = 2;
/// The same for `ProgramFeatures::positions` and `device`, and for the choice
/// of statements that have rows.
constexpr int kProgramTreeVersion = 1;

/// Columns of a primitive: its type as a one-hot vector, then its parameters,
/// cropped (TLP, section 4.2, which has 22).
constexpr int kPrimitiveFeatureSize = 24;
/// Primitives of a sequence that the published model reads.
constexpr int kPrimitiveSteps = 25;
/// The same as kFeatureSchemaVersion for `ProgramFeatures::primitives`.
constexpr int kPrimitivesVersion = 4;

/// The parts of a program's features that a model reads.
struct FeatureParts {
  bool statements = false; ///< Statement rows and dataflow.
  bool terms = false;
  bool primitives = false; ///< The schedule, in Pruner's primitives.
  /// The schedule in the primitives of the tuner that measured it, for records
  /// that have them. Stored in the same member.
  bool recordedPrimitives = false;
  /// Instead of `statements`: a row for every statement with its position in
  /// the tree of loops, and the machine.
  bool tree = false;
  /// `statements` as the released code of Pruner extracts them from programs of
  /// GPUs, for weights that were trained on these.
  bool released = false;

  /// Whether the model reads the program and not only the schedule.
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
  /// Whether the program has the data movement that `dataflow` describes.
  bool hasDataflow = false;
  /// For each row, its leaf's index in the pre-order of the program's tree, in
  /// which a marker follows every leaf (CDMPP, section 4.1).
  std::vector<float> positions;
  /// The machine that runs it; kDeviceFeatureSize numbers.
  std::vector<float> device;
  /// The terms of the analytical model, one row for the whole program
  /// (Analysis/ProgramTerms.h).
  std::vector<float> terms;
  /// A row of kPrimitiveFeatureSize for each primitive, in order; their number
  /// is not cropped. Numbers are as in the primitive.
  std::vector<float> primitives;
  /// The name of the machine ("nvidia:v100"). Models of several platforms have
  /// a head for each. Set together with `primitives`.
  std::string platform;

  /// Rows of `primitives`.
  std::size_t primitiveSteps() const {
    return primitives.size() / kPrimitiveFeatureSize;
  }

  /// Whether these parts are present, their sizes agree and every number is
  /// finite. A model scores programs without its parts as -infinity.
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
