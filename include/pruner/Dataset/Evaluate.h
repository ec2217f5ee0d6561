//===- Evaluate.h - evaluation of models on datasets ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// A model to evaluate.
struct ScoringModel {
  std::string name;
  /// Returns a score for each program of the task's schedules. Larger means
  /// faster. Only the order among the schedules of a task counts.
  std::function<std::vector<double>(const MeasuredTask &,
                                    llvm::ArrayRef<MeasuredProgram>)>
      scores;
  /// The task shapes (`taskShape`) that it was trained on.
  llvm::StringSet<> trainedBy;
  /// Returns the predicted seconds of each program. Null if the model predicts
  /// none.
  std::function<std::vector<double>(const MeasuredTask &,
                                    llvm::ArrayRef<MeasuredProgram>)>
      seconds;
  /// Why the model cannot score CPU programs (`CostModel::refusal`); empty if
  /// it can.
  std::string refusesCpus = {};
};

/// The program of a schedule as it was measured. Accounts for other code
/// generators that interpret a schedule differently.
ProgramSummary summarizeMeasured(const MeasuredTask &task,
                                 const Schedule &schedule);

/// Computes the parts of the features of a task's measured schedules that a
/// model reads.
class MeasuredFeatures {
public:
  /// The task must outlive this object.
  MeasuredFeatures(const MeasuredTask &task, FeatureParts parts,
                   const FeatureOptions &options = {});

  ProgramFeatures operator()(const MeasuredSchedule &measured) const;
  ProgramFeatures operator()(const MeasuredProgram &program) const;

private:
  const MeasuredTask &task;
  FeatureParts parts;
  ScheduleFeatures features;
};

/// Creates the models of a comma-separated list: "psa" (the form that drafts
/// schedules), "psa-throughput", "psa-paper", "psa-released" (Analysis/Psa.h),
/// "psa-without-<term>", "ablation" (all terms of psa-throughput),
/// "ablation-paper" (all terms of psa-paper), "random", and paths of
/// safetensors files with the weights of learned models.
llvm::Expected<std::vector<ScoringModel>>
createScoringModels(llvm::StringRef names);

/// Wraps a learned model under the given name. `origin` says what it was
/// trained on.
ScoringModel scoringModel(llvm::StringRef name,
                          std::shared_ptr<CostModel> model,
                          const Metadata &origin);

struct EvaluationOptions {
  /// Use only the first schedules of each task, up to this number; 0: all.
  size_t first = 0;
  /// Use only schedules that unroll at least this many iterations
  /// (`Schedule::unroll`).
  int64_t leastUnroll = 0;
  /// Skip schedules that violate a rule on the task's machine.
  bool legalOnly = false;
  /// Skip tasks whose shape any of the models was trained on.
  bool unseenOnly = false;
};

/// Numbers of schedules that may be chosen. The best of the chosen ones counts.
inline constexpr std::array<size_t, 7> kChoices = {1, 5, 10, 50, 128, 256, 512};

/// The quality of a model's choice, for one task or as a mean over tasks.
struct ChoiceQuality {
  double correlation = 0; ///< Rank correlation over successful schedules.
  double pairs = 0;       ///< `pairwiseAccuracy` over all schedules.
  /// The fastest time of all schedules over the fastest time of the chosen ones
  /// (its expectation where scores are equal). Failed schedules count as
  /// infinitely slow. Nothing for a task with fewer schedules than that, which
  /// leaves no choice.
  std::array<std::optional<double>, kChoices.size()> best;
};

struct TaskEvaluation {
  const MeasuredTask *task = nullptr;
  size_t schedules = 0, failed = 0, illegal = 0;
  std::vector<ChoiceQuality> models; ///< In the order of the models.
};

/// Evaluates each task with at least two successful schedules.
std::vector<TaskEvaluation> evaluate(const DatasetView &view,
                                     llvm::ArrayRef<ScoringModel> models,
                                     const EvaluationOptions &options);

/// Tasks of the same machine and kind.
struct EvaluationGroup {
  llvm::ArrayRef<TaskEvaluation> tasks;

  llvm::StringRef machine() const { return tasks.front().task->machine->name; }
  llvm::StringRef kind() const { return tasks.front().task->kind; }
  size_t sum(size_t TaskEvaluation::*count) const;
  /// The mean over the tasks.
  ChoiceQuality mean(size_t model) const;
};
/// Groups tasks that are sorted by machine and kind.
std::vector<EvaluationGroup> groupsOf(llvm::ArrayRef<TaskEvaluation> tasks);

/// Prints a row for each machine, kind of operation and model, with means over
/// tasks and the task with the worst first choice.
void printEvaluation(llvm::ArrayRef<TaskEvaluation> tasks,
                     llvm::ArrayRef<ScoringModel> models,
                     llvm::raw_ostream &os);
/// The same numbers, with every task.
llvm::json::Value toJson(llvm::ArrayRef<TaskEvaluation> tasks,
                         llvm::ArrayRef<ScoringModel> models);

} // namespace pruner

#endif // PRUNER_DATASET_EVALUATE_H
