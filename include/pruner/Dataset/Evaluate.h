//===- Evaluate.h - models judged by datasets -------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_EVALUATE_H
#define PRUNER_DATASET_EVALUATE_H

#include "pruner/Analysis/ScheduleFeatures.h"
#include "pruner/CostModel/CostModel.h"
#include "pruner/Dataset/DatasetView.h"
#include "pruner/Program/Summary.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <functional>

namespace pruner {

/// A measured schedule and its program (`summarizeMeasured`).
struct MeasuredProgram {
  const MeasuredSchedule *measured = nullptr;
  ProgramSummary summary;
};

/// A model that is judged.
struct ScoringModel {
  std::string name;
  /// A score for each program of the task's schedules. Larger is faster; only
  /// the order among schedules of a task counts.
  std::function<std::vector<double>(const MeasuredTask &,
                                    llvm::ArrayRef<MeasuredProgram>)>
      scores;
  /// The structures (`taskStructure`) that it was trained by.
  llvm::StringSet<> trainedBy;
  /// Seconds of each of the programs; null if the model has none.
  std::function<std::vector<double>(const MeasuredTask &,
                                    llvm::ArrayRef<MeasuredProgram>)>
      seconds;
  /// Why it says nothing of programs of CPUs (`CostModel::refusal`); empty if
  /// it does.
  std::string refusesCpus = {};
};

/// The program of a schedule as it was measured, as far as other code
/// generators differ in how they read a schedule.
ProgramSummary summarizeMeasured(const MeasuredTask &task,
                                 const Schedule &schedule);

/// What a model sees of a task's measured schedules: those parts of their
/// features that it reads.
class MeasuredFeatures {
public:
  /// The task must outlive it.
  MeasuredFeatures(const MeasuredTask &task, FeatureParts parts,
                   const FeatureOptions &options = {});

  ProgramFeatures operator()(const MeasuredSchedule &measured) const;
  ProgramFeatures operator()(const MeasuredProgram &program) const;

private:
  const MeasuredTask &task;
  FeatureParts parts;
  ScheduleFeatures features;
};

/// The models of a list of names: "psa" in the form that drafts schedules,
/// "psa-throughput", "psa-paper", "psa-released" (Analysis/Psa.h),
/// "psa-without-<term>", "ablation" for all of these of psa-throughput and
/// "ablation-paper" for those of psa-paper, "random", and files (safetensors)
/// of learned models' weights.
llvm::Expected<std::vector<ScoringModel>>
createScoringModels(llvm::StringRef names);

/// A learned model, by that name.
ScoringModel scoringModel(llvm::StringRef name,
                          std::shared_ptr<CostModel> model);

struct EvaluationOptions {
  /// Only so many schedules of each task, the first ones; 0: all.
  size_t first = 0;
  /// Only schedules that unroll at least so many steps (`Schedule::unroll`).
  int64_t leastUnroll = 0;
  /// Leave out what breaks a rule on the task's machine.
  bool legalOnly = false;
  /// Leave out tasks whose structure any of the models was trained by.
  bool unseenOnly = false;
};

/// How many schedules may be chosen; the best of these is looked at.
inline constexpr std::array<size_t, 7> kChoices = {1, 5, 10, 50, 128, 256, 512};

/// What choosing by a model's scores gives, for a task, or the mean over tasks.
struct ChoiceQuality {
  double correlation = 0; ///< Of ranks, over schedules that did not fail.
  double pairs = 0;       ///< `pairwiseAccuracy`, over all schedules.
  /// The fastest time of all over that of the chosen, expected where scores are
  /// equal; what failed counts as infinitely slow. Nothing of a task with no
  /// more schedules than that, as no choice is left.
  std::array<std::optional<double>, kChoices.size()> best;
};

struct TaskEvaluation {
  const MeasuredTask *task = nullptr;
  size_t schedules = 0, failed = 0, illegal = 0;
  std::vector<ChoiceQuality> models; ///< In the order of the models.
};

/// Each task of which at least two schedules did not fail.
std::vector<TaskEvaluation> evaluate(const DatasetView &view,
                                     llvm::ArrayRef<ScoringModel> models,
                                     const EvaluationOptions &options);

/// Tasks of the same machine and kind.
struct EvaluationGroup {
  llvm::ArrayRef<TaskEvaluation> tasks;

  llvm::StringRef machine() const { return tasks.front().task->machine->name; }
  llvm::StringRef kind() const { return tasks.front().task->kind; }
  size_t sum(size_t TaskEvaluation::*count) const;
  /// Over the tasks.
  ChoiceQuality mean(size_t model) const;
};
/// Of tasks that come by machine and kind.
std::vector<EvaluationGroup> groupsOf(llvm::ArrayRef<TaskEvaluation> tasks);

/// A row for each machine, kind of operation and model, with the mean over
/// tasks of each number and the task that the first choice is worst for.
void printEvaluation(llvm::ArrayRef<TaskEvaluation> tasks,
                     llvm::ArrayRef<ScoringModel> models,
                     llvm::raw_ostream &os);
/// The same, with every task.
llvm::json::Value toJson(llvm::ArrayRef<TaskEvaluation> tasks,
                         llvm::ArrayRef<ScoringModel> models);

} // namespace pruner

#endif // PRUNER_DATASET_EVALUATE_H
