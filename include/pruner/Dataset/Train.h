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

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace pruner {

struct TrainOptions {
  std::string model = "xgboost"; ///< See `createCostModel`.
  std::string modelOptions;      ///< A JSON object; empty: the model's own.
  /// Part of the structures (`taskStructure`) that is left out, drawn by
  /// `seed`. All tasks of a structure, on all machines, share its lot.
  double holdOut = 0;
  uint64_t seed = 0;
  /// Only so many schedules of each task, the first ones; 0: all.
  size_t first = 0;
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

/// Reads weights and makes the model that they are of.
llvm::Expected<std::unique_ptr<CostModel>>
loadModel(llvm::StringRef path, llvm::raw_ostream &warnings);

/// The structures of the tasks that a model was trained by, as its file says.
llvm::StringSet<> trainedStructures(const CostModel &model);

/// What a model's file says of it, for people.
void describeModel(const CostModel &model, llvm::raw_ostream &os);

} // namespace pruner

#endif // PRUNER_DATASET_TRAIN_H
