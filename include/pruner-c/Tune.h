//===- Tune.h - tuning with a callback ----------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_C_TUNE_H
#define PRUNER_C_TUNE_H

#include "pruner-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Progress of a run. The strings are valid during the callback only.
typedef struct PrunerTuneStatus {
  /// "trials", then, depending on the options, "defaults" (the untuned code is
  /// timed), "finals" (the best schedules of each task are compared) and
  /// "network" (they are compared in the compiled network). `done` and `total`
  /// count the steps of the phase and are equal at its end. Trials end earlier
  /// if the time limit is reached or the spaces are exhausted. In "network"
  /// `total` may grow from 2 to 4.
  const char *phase;
  unsigned done, total;
  /// Trials of this run that failed.
  unsigned failed;
  /// The task of the last step, or an empty string, and its best time so far in
  /// seconds, or -1.
  const char *task;
  double seconds;
} PrunerTuneStatus;

/// Called at the start of each phase, after each batch and at the end of the
/// phase. Return false to stop the run.
typedef bool (*PrunerTuneCallback)(const PrunerTuneStatus *status,
                                   void *userData);

/// Runs `pruner-tune` on the module. `lower=false` is prepended to the options,
/// so tasks get their schedules as attributes (prunerTaskGetSchedule()), and
/// prunerModuleLower() lowers them. `log` receives the lines that pruner-tune
/// prints. `progress` and `log` may be null; both are called on the calling
/// thread.
///
/// If a run is stopped, its measurements stay in the database, and the module
/// keeps its content, with or without extracted tasks. A process can tune one
/// module at a time; a second call fails.
PRUNER_CAPI_EXPORTED PrunerStatus prunerModuleTune(PrunerModule module,
                                                   const char *options,
                                                   PrunerTuneCallback progress,
                                                   PrunerStringCallback log,
                                                   void *userData);

/// Stops the run of this process after the current batch; does nothing if there
/// is none. May be called from other threads and signal handlers.
PRUNER_CAPI_EXPORTED void prunerStopTuning(void);

#ifdef __cplusplus
}
#endif

#endif // PRUNER_C_TUNE_H
