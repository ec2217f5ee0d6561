//===- TuningSession.h - what a tuning database knows -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_COMMON_TUNINGSESSION_H
#define PRUNER_BENCHMARKS_COMMON_TUNINGSESSION_H

#include "pruner/Builder/TaskProgram.h"
#include "pruner/Target/JitModule.h"
#include "pruner/Tune/TuneTask.h"

#include "llvm/Support/JSON.h"
#include <vector>

namespace pruner::bench {

/// What to do where the database has too few trials.
struct TuneCommand {
  std::string database;
  unsigned trials = 0;
  /// More options of pruner-tune, "model=none seed=1".
  std::string options;
};

/// The tasks of a module, as the tuner sees them: the same passes make the same
/// keys.
struct ModuleTasks {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<TuneTask> tasks;
};

/// A task compiled into this process by the path of the tuner.
struct CompiledTask {
  std::vector<TensorSpec> inputs, outputs;
  /// Takes a pointer for every input and then one for every output; gives what
  /// `run` takes. Constant inputs are packed as the kernel wants them.
  std::function<std::vector<void *>(llvm::ArrayRef<void *> arguments)> pack;
  std::function<void(llvm::ArrayRef<void *> packed)> run;
  llvm::json::Object stages, facts; ///< See BuiltCandidate.
};

/// Tasks and their records in one environment.
class TuningSession {
public:
  /// For kernels of `threads` threads. Create it before this process is bound
  /// to some CPUs: the number of CPUs is part of a record's key.
  /// `target` is one of pruner-tune.
  static llvm::Expected<TuningSession> create(unsigned threads,
                                              llvm::StringRef target = "cpu");
  /// For kernels of one thread, one for each of the `targets`, which commas
  /// separate. Fails if there is none.
  static llvm::Expected<std::vector<TuningSession>>
  createAll(llvm::StringRef targets);

  mlir::MLIRContext &context() { return *state; }
  const Environment &environment() const { return env; }

  /// `name` is for diagnostics.
  llvm::Expected<ModuleTasks> tasks(llvm::StringRef name, llvm::StringRef text);

  /// Trials of tasks that were measured in this environment, defaults and
  /// finals not counted. 0 without a database.
  llvm::Expected<unsigned> countTrials(llvm::ArrayRef<TuneTask> tasks,
                                       llvm::StringRef database) const;

  /// Tunes a module by a child process if fewer trials than asked for are
  /// recorded for its tasks together.
  llvm::Error tune(llvm::StringRef name, llvm::StringRef text,
                   const TuneCommand &command);

  /// The text of a module after its tasks were lowered by the schedules that
  /// `choose` gives them; those that it gives none ("") stay as they were.
  /// Errors are those of `choose`, and of schedules that do not parse or are
  /// illegal.
  llvm::Expected<std::string> lowered(
      llvm::StringRef name, llvm::StringRef text,
      llvm::function_ref<llvm::Expected<std::string>(const TuneTask &)> choose);

  /// The code lives as long as this session.
  llvm::Expected<CompiledTask>
  compile(const TuneTask &task, llvm::StringRef schedule, unsigned threads);

private:
  std::unique_ptr<mlir::MLIRContext> state;
  Environment env;
  std::vector<std::unique_ptr<JitModule>> code;
};

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_TUNINGSESSION_H
