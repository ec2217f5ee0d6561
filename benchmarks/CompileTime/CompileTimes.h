//===- CompileTimes.h - times of building candidates ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMES_H
#define PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMES_H

#include "Operator.h"
#include "TuningSession.h"

#include "pruner/Target/StageTimer.h"

namespace pruner::bench {

/// From one schedule to what can be run.
struct CandidateTimes {
  std::string schedule;
  std::string failure; ///< Empty if it was built.
  /// The stages of BuildTimes; `rest`, what `buildCandidate` does besides; and
  /// for CPUs `load`: the object made callable in this process.
  std::vector<std::pair<std::string, StageTime>> stages;
  /// Of the stages `tile` and `lower`, the passes.
  std::vector<std::pair<std::string, StageTime>> passes;
  int64_t artifactBytes = 0;
  llvm::json::Object facts; ///< See BuiltCandidate.

  StageTime total; ///< Of all of it, with what lies between the stages.
};

/// The candidates of one task.
struct TaskTimes {
  std::string op, kind; ///< Of the suite.
  std::string task;     ///< The name of the task.
  std::string target;
  StageTime parse; ///< Once for all candidates of a worker; in no total.
  std::vector<CandidateTimes> candidates;
};

struct DrawOptions {
  /// Of createSearchStrategy.
  std::string strategy = "draft-verify";
  unsigned count = 10; ///< Schedules of each task, as far as there are any.
  uint64_t seed = 0;
  bool assemble = false; ///< PTX by ptxas.
};

/// Takes the schedules that a strategy proposes, without a model and without
/// measurements, for every task of `op` on the target of `session`, and builds
/// them as a worker does: a task is parsed once, a candidate goes through
/// `buildCandidate` and, if it is an object, `loadObject`. What is proposed
/// depends on the seed, the operation's name, and the machine alone. There may
/// be no tasks. Fails where there is no schedule; candidates that cannot be
/// built are part of the result.
llvm::Expected<std::vector<TaskTimes>>
timeCandidates(TuningSession &session, const Operator &op,
               const DrawOptions &options);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMES_H
