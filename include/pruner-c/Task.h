//===- Task.h - tasks and what models say of them -----------------*- C -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_C_TASK_H
#define PRUNER_C_TASK_H

#include "pruner-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Copies of the tasks of a module; what happens to it later does not show.
typedef struct PrunerTasks {
  void *ptr;
} PrunerTasks;

/// Lives as long as its list, and is the same as a null handle afterwards.
typedef struct PrunerTask {
  void *ptr;
} PrunerTask;

/// The tasks in the order of the module. Brings a module without any into
/// normal form and cuts it into tasks first.
PRUNER_CAPI_EXPORTED PrunerTasks prunerModuleExtractTasks(PrunerModule module);
PRUNER_CAPI_EXPORTED void prunerTasksDestroy(PrunerTasks tasks);
PRUNER_CAPI_EXPORTED size_t prunerTasksGetSize(PrunerTasks tasks);
/// Null where there is no task `index`.
PRUNER_CAPI_EXPORTED PrunerTask prunerTasksGet(PrunerTasks tasks, size_t index);

PRUNER_CAPI_EXPORTED const char *prunerTaskGetName(PrunerTask task);
/// The hash of its content by which databases know it.
PRUNER_CAPI_EXPORTED const char *prunerTaskGetKey(PrunerTask task);
/// A module of its own.
PRUNER_CAPI_EXPORTED const char *prunerTaskGetText(PrunerTask task);
/// How often the network calls it.
PRUNER_CAPI_EXPORTED double prunerTaskGetWeight(PrunerTask task);
/// Of one call: floating-point operations, and bytes that it must move.
PRUNER_CAPI_EXPORTED double prunerTaskGetFlops(PrunerTask task);
PRUNER_CAPI_EXPORTED double prunerTaskGetBytes(PrunerTask task);
/// The `#pruner.schedule<...>` that it has, or an empty string, and the seconds
/// that this one was measured at, or -1.
PRUNER_CAPI_EXPORTED const char *prunerTaskGetSchedule(PrunerTask task);
PRUNER_CAPI_EXPORTED double prunerTaskGetSeconds(PrunerTask task);

/// Calls back with at most `count` different random legal schedules for
/// `target`, a text each.
PRUNER_CAPI_EXPORTED PrunerStatus
prunerTaskSample(PrunerTask task, const char *target, size_t count,
                 uint64_t seed, PrunerStringCallback callback, void *userData);

/// What the analytical model says of schedules on `threads` threads of
/// `target`: `count` times, in seconds. A schedule that is none, or that breaks
/// a rule for task and target, is an error that quotes the rule.
PRUNER_CAPI_EXPORTED PrunerStatus
prunerTaskPredict(PrunerTask task, const char *target, unsigned threads,
                  const char *const *schedules, size_t count, double *seconds);

/// The report of the analytical model on one schedule, as JSON: symbols,
/// penalties, rates and times of each statement, and what limits it.
PRUNER_CAPI_EXPORTED PrunerStatus prunerTaskExplain(
    PrunerTask task, const char *target, unsigned threads, const char *schedule,
    PrunerStringCallback callback, void *userData);

/// A learned model.
typedef struct PrunerCostModel {
  void *ptr;
} PrunerCostModel;

/// With the weights of a file, as `pruner-model` and `pruner-dataset` write it.
PRUNER_CAPI_EXPORTED PrunerCostModel prunerCostModelLoad(PrunerContext context,
                                                         const char *path);
PRUNER_CAPI_EXPORTED void prunerCostModelDestroy(PrunerCostModel model);
/// "xgboost", "pacm", ...
PRUNER_CAPI_EXPORTED const char *prunerCostModelGetName(PrunerCostModel model);
/// `count` scores; larger is faster. They rank the schedules of one call and
/// mean nothing else. Errors as of prunerTaskPredict().
PRUNER_CAPI_EXPORTED PrunerStatus prunerCostModelPredict(
    PrunerCostModel model, PrunerTask task, const char *target,
    unsigned threads, const char *const *schedules, size_t count,
    float *scores);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_TASK_H
