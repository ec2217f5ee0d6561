//===- MeasureRequests.h - requests for one candidate -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_MEASURE_MEASUREREQUESTS_H
#define PRUNER_LIB_MEASURE_MEASUREREQUESTS_H

#include "pruner/Measure/WorkerPool.h"

namespace pruner {

/// Requests the build of `schedule` within `seconds`, after registering the
/// task, which may take as long. Every reply, and every failure to reply,
/// becomes a status in `result`.
void requestBuild(WorkerProcess &worker, const MeasureJob &job,
                  llvm::StringRef schedule, int64_t id, double seconds,
                  MeasureResult &result);

/// Requests the reference of the task, within `seconds`. If the result is not
/// Ok, no candidate of the task can be run.
void requestReference(WorkerProcess &worker, const MeasureJob &job, int64_t id,
                      double seconds, MeasureResult &result);

/// Limits of a run, in seconds.
struct RunLimits {
  double task = 0;     ///< For the reference of the task.
  double deadline = 0; ///< For verification and timing.
  /// As in RunRequest.
  double censorAbove = 0, maxSeconds = 0;
};

/// Requests that the artifact in `result` be verified and timed, in the same
/// way.
void requestRun(WorkerProcess &worker, const MeasureJob &job, int64_t id,
                const RunLimits &limits, MeasureResult &result);

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_MEASUREREQUESTS_H
