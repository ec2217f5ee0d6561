//===- TuningSession.h - tuning and compiling tasks -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMMON_TUNINGSESSION_H
#define PRUNER_BENCHMARKS_COMMON_TUNINGSESSION_H

#include "pruner/Builder/TaskProgram.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Target/JitModule.h"

#include "llvm/Support/JSON.h"
#include <vector>

namespace pruner::bench {

/// Tunes a module if the database has too few trials.
struct TuneCommand {
  std::string database;
  unsigned trials = 0;
  /// Further options of pruner-tune, "model=none seed=1".
  std::string options;
};

/// The tasks of a module. The passes of the tuner are used, so keys are the
/// same.
struct ModuleTasks {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<ModuleTask> tasks;
};

/// A task that was compiled into this process like a candidate of the tuner.
struct CompiledTask {
  std::vector<TensorSpec> inputs, outputs;
  /// Takes a pointer for every input and then for every output. Returns the
  /// arguments of `run`. Packs constant inputs as the kernel expects them.
  std::function<std::vector<void *>(llvm::ArrayRef<void *> arguments)> pack;
  std::function<void(llvm::ArrayRef<void *> packed)> run;
  llvm::json::Object stages, facts; ///< See BuiltCandidate.
};

/// Tasks and their records in one environment.
class TuningSession {
public:
  /// For kernels with `threads` threads. Create it before this process is bound
  /// to CPUs, because the number of CPUs is part of a record's key. `target` is
  /// a target of pruner-tune.
  static llvm::Expected<TuningSession> create(unsigned threads,
                                              llvm::StringRef target = "cpu");
  /// One session for each of the comma-separated `targets`, for kernels with
  /// one thread. Fails if there is none.
  static llvm::Expected<std::vector<TuningSession>>
  createAll(llvm::StringRef targets);

  mlir::MLIRContext &context() { return *state; }
  const Environment &environment() const { return env; }

  /// `name` is for diagnostics.
  llvm::Expected<ModuleTasks> tasks(llvm::StringRef name, llvm::StringRef text);

  /// Counts trials of tasks in this environment, without defaults and
  /// head-to-head comparisons. 0 without a database.
  llvm::Expected<unsigned> countTrials(llvm::ArrayRef<ModuleTask> tasks,
                                       llvm::StringRef database) const;

  /// Tunes a module in a child process if its tasks together have fewer trials
  /// than requested.
  llvm::Error tune(llvm::StringRef name, llvm::StringRef text,
                   const TuneCommand &command);

  /// Returns a module after its tasks were lowered with the schedules of
  /// `choose`. Tasks with the schedule "" are not changed. Returns errors of
  /// `choose`, and of schedules that are invalid or illegal.
  llvm::Expected<std::string>
  lowered(llvm::StringRef name, llvm::StringRef text,
          llvm::function_ref<llvm::Expected<std::string>(const ModuleTask &)>
              choose);

  /// The code lives as long as this session.
  llvm::Expected<CompiledTask>
  compile(const ModuleTask &task, llvm::StringRef schedule, unsigned threads);

private:
  std::unique_ptr<mlir::MLIRContext> state;
  Environment env;
  std::vector<std::unique_ptr<JitModule>> code;
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_TUNINGSESSION_H
