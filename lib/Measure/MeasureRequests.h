//===- MeasureRequests.h - what a worker is asked of a candidate -*- C++
//-*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_MEASURE_MEASUREREQUESTS_H
#define PRUNER_LIB_MEASURE_MEASUREREQUESTS_H

#include "pruner/Measure/WorkerPool.h"

namespace pruner {

/// Has `schedule` built, within `seconds`, after the worker was told of the
/// task, which may take as long. Whatever the worker says, or fails to say,
/// becomes a status in `result`.
void requestBuild(WorkerProcess &worker, const MeasureJob &job,
                  llvm::StringRef schedule, int64_t id, double seconds,
                  MeasureResult &result);

/// Has the reference of the task made, within `seconds`. Ok unless that failed;
/// then nothing of the task can be run.
void requestReference(WorkerProcess &worker, const MeasureJob &job, int64_t id,
                      double seconds, MeasureResult &result);

/// What a run is allowed; seconds.
struct RunLimits {
  double task = 0;     ///< For the reference of the task.
  double deadline = 0; ///< For verification and timing.
  /// As in RunRequest.
  double censorAbove = 0, maxSeconds = 0;
};

/// Has what was built in `result` verified and timed, in the same way.
void requestRun(WorkerProcess &worker, const MeasureJob &job, int64_t id,
                const RunLimits &limits, MeasureResult &result);

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_MEASUREREQUESTS_H
