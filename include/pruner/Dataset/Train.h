//===- Train.h - training of models on datasets -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training of a model on the tasks of datasets. The weight file names the task
// shapes that the model was trained on. An evaluation can therefore use unseen
// tasks only, however the data were split.

#ifndef PRUNER_DATASET_TRAIN_H
#define PRUNER_DATASET_TRAIN_H

#include "pruner/CostModel/ModelKind.h"
#include "pruner/Dataset/DatasetView.h"
#include "pruner/Dataset/Evaluate.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace pruner {

/// A machine whose measurements train a model.
struct TrainPlatform {
  std::string name; ///< `Machine::name`.
  /// Use only this many of its schedules, drawn at random over all its tasks;
  /// 0: all.
  size_t schedules = 0;
};

struct TrainOptions {
  std::string model = "xgboost"; ///< See `createCostModel`.
  /// A weight file to continue from; its model replaces `model`. Empty: train
  /// from scratch.
  std::string weights;
  /// How the weights are adapted (CostModel/Adaptation.h). Empty: the model's
  /// default.
  std::string adaptation;
  /// The machines to train on, the target machine first. Empty: all in the
  /// data, in their order. Models that distinguish platforms
  /// (`ProgramFeatures::platform`) have a head for each.
  std::vector<TrainPlatform> platforms;
  std::string modelOptions; ///< A JSON object. Empty: the model's defaults.
  /// Holds out task shapes. `seed` assigns a random number from 0 to 1 to each
  /// shape (`taskShape`). Shapes with a number in this half-open interval are
  /// held out. All tasks of a shape, on all machines, share its number.
  std::pair<double, double> holdOut = {0, 0};
  uint64_t seed = 0;
  /// Use only the first schedules of each task, up to this number; 0: all.
  size_t first = 0;
  /// Sources (`DatasetOrigin::source`), such as networks. No times of their
  /// task shapes are used.
  std::vector<std::string> without;
  /// The target domain of a latency model that also trains on other domains: a
  /// source or the name of a machine. Empty: none. For tasks of this domain
  /// that `without` or `sampledTasks` excludes, the training uses the programs
  /// without their times.
  std::string target;
  /// Use the times of only this many tasks of the target, chosen by
  /// `sampleTasks`; 0: all.
  size_t sampledTasks = 0;
};

struct TrainedModel {
  std::unique_ptr<CostModel> model;
  /// Facts about the training, which are stored with the weights.
  Metadata origin;
  TrainingReport report;
  size_t tasks = 0, schedules = 0;
  size_t heldOutTasks = 0; ///< Tasks excluded from training.
};

/// Trains a model. Non-fatal problems of the configuration go to `warnings`.
llvm::Expected<TrainedModel> trainModel(const DatasetView &view,
                                        const TrainOptions &options,
                                        llvm::raw_ostream &warnings);

/// Cross-validates a training configuration. Task shapes are divided into
/// `folds` parts. A model that was trained on the other parts scores the tasks
/// of each part. The analytical model ("psa") and a random choice are included
/// for comparison. Appends to `result`, by machine and kind. Returns the models
/// in the order of the scores.
llvm::Expected<std::vector<ScoringModel>>
crossValidate(const DatasetView &view, TrainOptions options, unsigned folds,
              std::vector<TaskEvaluation> &result, llvm::raw_ostream &warnings);

/// Notes the result of crossValidate(), one line for each machine and kind.
void noteValidation(llvm::ArrayRef<TaskEvaluation> tasks,
                    llvm::ArrayRef<ScoringModel> models, unsigned folds,
                    Metadata &origin);

/// Creates the model of a weight file and loads the weights.
llvm::Expected<LoadedModel> loadModel(llvm::StringRef path,
                                      llvm::raw_ostream &warnings);

/// The task shapes that weights were trained on.
llvm::StringSet<> trainedShapes(const Metadata &origin);

/// Prints a model and what its file says about it.
void describeModel(const LoadedModel &model, llvm::raw_ostream &os);

} // namespace pruner

#endif // PRUNER_DATASET_TRAIN_H
