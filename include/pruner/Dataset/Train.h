//===- Train.h - learned models made from datasets --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model is trained by the tasks of datasets and written to one file, which
// says what it was trained by: so it can be judged later by what it has not
// seen, whoever split the data and however.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_TRAIN_H
#define PRUNER_DATASET_TRAIN_H

#include "pruner/CostModel/CostModel.h"
#include "pruner/Dataset/DatasetView.h"
#include "pruner/Dataset/Evaluate.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace pruner {

/// A machine whose measurements train a model.
struct TrainPlatform {
  std::string name; ///< `Machine::name`.
  /// Only so many of its schedules, drawn by lot over all its tasks; 0: all.
  size_t schedules = 0;
};

struct TrainOptions {
  std::string model = "xgboost"; ///< See `createCostModel`.
  /// A file of weights that training goes on from, of whatever model they are;
  /// empty: with none. `model` then means nothing.
  std::string weights;
  /// How they are adapted (CostModel/Adaptation.h); empty: as the model does.
  std::string adaptation;
  /// The machines that are learned from; of several the first is the one that
  /// the model is for. Empty: all in the data, in their order. Models that tell
  /// platforms apart (`ProgramFeatures::platform`) have a head for each.
  std::vector<TrainPlatform> platforms;
  std::string modelOptions; ///< A JSON object; empty: the model's own.
  /// Structures (`taskStructure`) whose lot, from 0 to 1 and drawn by `seed`,
  /// is at least the first number and below the second are left out. All tasks
  /// of a structure, on all machines, share its lot.
  std::pair<double, double> holdOut = {0, 0};
  uint64_t seed = 0;
  /// Only so many schedules of each task, the first ones; 0: all.
  size_t first = 0;
  /// Sources (`DatasetOrigin::source`) such as networks, the structures of
  /// whose tasks no time is learned of.
  std::vector<std::string> without;
  /// The domain that a model of latency is to be good for, if it learns from
  /// others as well: a source, or a machine's name; empty: there is none. Of
  /// this domain's tasks that `without` leaves out, or `sampledTasks`, the
  /// programs are seen without their times.
  std::string target;
  /// Only so many tasks of the target, those that `sampleTasks` chooses; 0:
  /// all.
  size_t sampledTasks = 0;
};

struct TrainedModel {
  std::unique_ptr<CostModel> model;
  TrainingReport report;
  size_t tasks = 0, schedules = 0;
  size_t heldOutTasks = 0; ///< Left out of the training.
};

/// Trains a model. Problems of the set-up that are no errors go to `warnings`.
llvm::Expected<TrainedModel> trainModel(const DatasetView &view,
                                        const TrainOptions &options,
                                        llvm::raw_ostream &warnings);

/// Judges a way of training: structures are divided into `folds` parts, and the
/// tasks of each are scored by a model that was trained by the other parts; the
/// analytical model ("psa") and a random choice stand beside it. Appends to
/// `result`, by machine and kind. Returns the models, in the order of the
/// scores.
llvm::Expected<std::vector<ScoringModel>>
crossValidate(const DatasetView &view, TrainOptions options, unsigned folds,
              std::vector<TaskEvaluation> &result, llvm::raw_ostream &warnings);

/// Puts what crossValidate() found into the model's provenance, a line for each
/// machine and kind.
void noteValidation(llvm::ArrayRef<TaskEvaluation> tasks,
                    llvm::ArrayRef<ScoringModel> models, unsigned folds,
                    CostModel &model);

/// Reads weights and makes the model that they are of.
llvm::Expected<std::unique_ptr<CostModel>>
loadModel(llvm::StringRef path, llvm::raw_ostream &warnings);

/// The structures of the tasks that a model was trained by, as its file says.
llvm::StringSet<> trainedStructures(const CostModel &model);

/// What a model's file says of it, for people.
void describeModel(const CostModel &model, llvm::raw_ostream &os);

} // namespace pruner

#endif // PRUNER_DATASET_TRAIN_H
