//===- CompileTimes.h - times of building candidates ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMES_H
#define PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMES_H

#include "Operator.h"
#include "TuningSession.h"

#include "pruner/Target/StageTimer.h"

namespace pruner::bench {

/// The times from a schedule to runnable code.
struct CandidateTimes {
  std::string schedule;
  std::string failure; ///< Empty if it was built.
  /// The stages of BuildTimes; `rest`, the remaining work of `buildCandidate`;
  /// and for CPUs `load`, which makes the object callable in this process.
  std::vector<std::pair<std::string, StageTime>> stages;
  /// The passes of the stages `tile` and `lower`.
  std::vector<std::pair<std::string, StageTime>> passes;
  int64_t artifactBytes = 0;
  llvm::json::Object facts; ///< See BuiltCandidate.

  StageTime total; ///< The total, including the time between stages.
};

/// The candidates of one task.
struct TaskTimes {
  std::string op, kind; ///< Name and kind in the suite.
  std::string task;     ///< The name of the task.
  std::string target;
  StageTime parse; ///< Once per task and worker; not in any total.
  std::vector<CandidateTimes> candidates;
};

struct DrawOptions {
  /// The name of a SearchStrategy.
  std::string strategy = "draft-verify";
  unsigned count = 10; ///< Maximum number of schedules per task.
  uint64_t seed = 0;
  bool assemble = false; ///< Assemble PTX with ptxas.
};

/// Builds the schedules that a strategy proposes without a model and without
/// measurements, for every task of `op` on the target of `session`. Like a
/// worker, parses a task once and builds each candidate with `buildCandidate`
/// and, for objects, `loadObject`. The proposals depend only on the seed, the
/// operation's name, and the machine. An operation may have no tasks. Fails if
/// there is no schedule; candidates that cannot be built are part of the
/// result.
llvm::Expected<std::vector<TaskTimes>>
timeCandidates(TuningSession &session, const Operator &op,
               const DrawOptions &options);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMPILETIME_COMPILETIMES_H
