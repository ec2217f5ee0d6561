//===- Tune.h - tuning with a callback ----------------------------*- C -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_C_TUNE_H
#define PRUNER_C_TUNE_H

#include "pruner-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How far a run is. The strings are gone after the callback.
typedef struct PrunerTuneStatus {
  /// "trials", then, as far as the options have them, "defaults" (the untuned
  /// ones are timed), "finals" (the best schedules of each task compete) and
  /// "network" (so they do in the compiled network). `done` and `total` are of
  /// it; at its end they are equal. Trials end earlier where the time limit is
  /// reached or nothing new is left. "network" may grow from 2 to 4 steps.
  const char *phase;
  unsigned done, total;
  /// Trials of this run that failed.
  unsigned failed;
  /// The task that was at last worked on, or an empty string, and its best
  /// time so far in seconds, or -1.
  const char *task;
  double seconds;
} PrunerTuneStatus;

/// Called at the start of each phase, after each batch and at the end of the
/// phase; false ends the run.
typedef bool (*PrunerTuneCallback)(const PrunerTuneStatus *status,
                                   void *userData);

/// `pruner-tune` on the module. The options begin with `lower=false`: tasks get
/// their schedules as attributes (prunerTaskGetSchedule()), and
/// prunerModuleLower() lowers them. `progress` and `log`, which gets the lines
/// that pruner-tune prints, may be null. Both are called by the calling thread.
///
/// A run that was ended leaves what it measured in its database and the module
/// as it was, in tasks or not. One run at a time in a process: another is
/// refused.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleTune(PrunerModule module,
                                                   const char *options,
                                                   PrunerTuneCallback progress,
                                                   PrunerStringCallback log,
                                                   void *userData);

/// Ends the run of this process after the batch that is being measured; does
/// nothing where there is none. For other threads and handlers of signals.
PRUNER_CAPI_EXPORTED void prunerStopTuning(void);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_TUNE_H
