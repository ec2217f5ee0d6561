//===- OwnKernels.h - Pruner's kernels of an operation ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_OPERATORS_OWNKERNELS_H
#define PRUNER_BENCHMARKS_OPERATORS_OWNKERNELS_H

#include "OperatorData.h"
#include "Process.h"
#include "TuningSession.h"

namespace pruner::bench {

/// An operation's module as a library under some schedules.
struct OwnLibrary {
  std::string name, detail; ///< Of the contender.
  Role role = Role::Own;
  unsigned threads = 1;
  std::string failure = {}; ///< Why there is no file.
  std::string file = {};
  /// Path of the library that packs the weights, or "".
  std::string prepare = {};
  llvm::json::Object facts = {}; ///< Facts of the contender.
};

/// An operation, tuned and compiled.
struct OwnKernels {
  /// "pruner" first, as pruner-apply-best makes it; then those that OwnOptions
  /// requests.
  std::vector<OwnLibrary> libraries;
  unsigned trials = 0;
  /// The number of tasks, and of tasks with a schedule.
  unsigned tasks = 0, applied = 0;
  llvm::json::Array taskFacts;
  /// The limit of the slowest tuned task, according to the analytical model.
  std::string limit;
  /// The tuned tasks alone, one after the other on their own operands: the time
  /// without the calls and operations between them. Null if a task has no
  /// schedule.
  std::function<void()> kernels;
  unsigned kernelThreads = 1;
};

struct OwnOptions {
  Weights weights = Weights::Constant;
  /// Nothing is tuned if the name of the database is empty.
  TuneCommand command = {};
  /// If not null, also use the best records of one thread: "pruner, 1 thread".
  TuningSession *single = nullptr;
  /// Also the schedule of the analytical model: "draft".
  bool draft = false;
  /// Also these schedules, for operations with one task: "schedule N", from 1.
  std::vector<std::string> schedules = {};
  /// Also the untuned module: "default".
  bool untuned = true;
};

/// Tunes `op` if the database has too few trials, and compiles it into files in
/// `directory`. Call it before this process is bound to CPUs.
OwnKernels makeOwnKernels(TuningSession &session, const Operator &op,
                          const OwnOptions &options,
                          const TemporaryDirectory &directory);

/// The libraries, and "kernels" if there are any. `data` and `kernels` must
/// outlive them.
std::vector<Contender> ownContenders(const OwnKernels &kernels,
                                     OperatorData &data);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_OWNKERNELS_H
