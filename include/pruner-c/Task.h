//===- Task.h - tasks and predictions for them --------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_C_TASK_H
#define PRUNER_C_TASK_H

#include "pruner-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Copies of the tasks of a module; later changes of the module have no effect.
typedef struct PrunerTasks {
  void *ptr;
} PrunerTasks;

/// Valid as long as its list; behaves like a null handle afterwards.
typedef struct PrunerTask {
  void *ptr;
} PrunerTask;

/// Returns the tasks in the order of the module. Normalizes a module without
/// tasks and extracts its tasks first.
PRUNER_CAPI_EXPORTED PrunerTasks prunerModuleExtractTasks(PrunerModule module);
PRUNER_CAPI_EXPORTED void prunerTasksDestroy(PrunerTasks tasks);
PRUNER_CAPI_EXPORTED size_t prunerTasksGetSize(PrunerTasks tasks);
/// Returns null if there is no task `index`.
PRUNER_CAPI_EXPORTED PrunerTask prunerTasksGet(PrunerTasks tasks, size_t index);

PRUNER_CAPI_EXPORTED const char *prunerTaskGetName(PrunerTask task);
/// The hash of the task's content, which is its key in databases.
PRUNER_CAPI_EXPORTED const char *prunerTaskGetKey(PrunerTask task);
/// The text of a module with this task alone.
PRUNER_CAPI_EXPORTED const char *prunerTaskGetText(PrunerTask task);
/// The number of calls in the network.
PRUNER_CAPI_EXPORTED double prunerTaskGetWeight(PrunerTask task);
/// Operations of one call, and bytes that it must move.
PRUNER_CAPI_EXPORTED double prunerTaskGetFlops(PrunerTask task);
PRUNER_CAPI_EXPORTED double prunerTaskGetBytes(PrunerTask task);
/// The `#pruner.schedule<...>` of the task, or an empty string, and its
/// measured seconds, or -1.
PRUNER_CAPI_EXPORTED const char *prunerTaskGetSchedule(PrunerTask task);
PRUNER_CAPI_EXPORTED double prunerTaskGetSeconds(PrunerTask task);

#define PRUNER_MAX_SAMPLES 1000000

/// Calls the callback with at most `count` distinct random legal schedules for
/// `target`, one text each. `count` is at most PRUNER_MAX_SAMPLES.
PRUNER_CAPI_EXPORTED PrunerStatus
prunerTaskSample(PrunerTask task, const char *target, size_t count,
                 uint64_t seed, PrunerStringCallback callback, void *userData);

/// Predicts the seconds of `count` schedules on `threads` threads of `target`
/// with the analytical model. An invalid schedule, or one that violates a rule
/// for task and target, is an error that quotes the rule.
PRUNER_CAPI_EXPORTED PrunerStatus
prunerTaskPredict(PrunerTask task, const char *target, unsigned threads,
                  const char *const *schedules, size_t count, double *seconds);

/// The analytical model's report on one schedule as JSON: symbols, penalties,
/// rates and times of each statement, and what limits it.
PRUNER_CAPI_EXPORTED PrunerStatus prunerTaskExplain(
    PrunerTask task, const char *target, unsigned threads, const char *schedule,
    PrunerStringCallback callback, void *userData);

/// A learned model.
typedef struct PrunerCostModel {
  void *ptr;
} PrunerCostModel;

/// Loads a file of weights, as `pruner model` and `pruner dataset` write it.
PRUNER_CAPI_EXPORTED PrunerCostModel prunerCostModelLoad(PrunerContext context,
                                                         const char *path);
PRUNER_CAPI_EXPORTED void prunerCostModelDestroy(PrunerCostModel model);
/// "xgboost", "pacm", ...
PRUNER_CAPI_EXPORTED const char *prunerCostModelGetName(PrunerCostModel model);
/// Computes `count` scores; larger is faster. Scores only rank the schedules of
/// one call. Errors are those of prunerTaskPredict().
PRUNER_CAPI_EXPORTED PrunerStatus prunerCostModelPredict(
    PrunerCostModel model, PrunerTask task, const char *target,
    unsigned threads, const char *const *schedules, size_t count,
    float *scores);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_TASK_H
