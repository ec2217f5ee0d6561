//===- TuneTask.h - a task of the module that is tuned ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TUNE_TUNETASK_H
#define PRUNER_TUNE_TUNETASK_H

#include "pruner/Analysis/Psa.h"
#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/Machine.h"
#include "pruner/Program/CacheState.h"
#include "pruner/Program/Task.h"
#include "pruner/Record/Database.h"
#include "pruner/Record/Record.h"
#include "pruner/Sketch/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// A task of the tuned module: its function, and what the tuner and the workers
/// need to know about it.
struct TuneTask {
  mlir::func::FuncOp function;
  TaskDesc desc;
  std::string kind; ///< Kind of operation, see `taskKind`.
  std::string key;  ///< From `pruner.task`.
  std::string text; ///< A module with this task alone.
  /// Also from `pruner.task`.
  double weight = 1, flops = 0, bytes = 0;
  /// The cache state for timing: warm, unless `findCacheStates` set another.
  CacheState cacheState;
  /// Schedules of similar tasks for the first round (SimilarTasks.h).
  std::vector<Schedule> similar;

  StoredTask stored() const { return {key, desc.name, text, flops, bytes}; }
};

/// Returns the tasks of a module in order. Extracts them first if there are
/// none. Fails with diagnostics.
mlir::FailureOr<std::vector<TuneTask>>
collectTasks(mlir::ModuleOp module, bool verboseRemarks = false);

/// The part of a record's identity that does not depend on the task.
/// Measurements in the same environment are comparable.
struct Environment {
  CodeTarget target;
  Machine machine;
  unsigned threads = 1;
  /// Name of the other compiler behind a builder command, such as
  /// "iree-3.13.0"; empty for this code generator. Records of different
  /// compilers are separate.
  std::string builder;

  std::string machineKey() const { return machine.key(); }
  std::string pipelineOptions() const;
  static std::string toolchain();

  /// `threads` 0 means the number of cores. Errors name the option.
  static llvm::Expected<Environment> create(llvm::StringRef target,
                                            unsigned threads);
  /// Query for records of `task` in this environment by this code generator.
  RecordQuery query(const TuneTask &task) const;
};

/// The options of the analytical model for the task in this environment.
PsaOptions psaOptions(const Environment &environment, const TuneTask &task);

/// With `caches` "network" on a CPU, sets the cache states in which the network
/// of `module` calls its tasks. With "warm" they stay warm. Any other value is
/// an error that names the option.
llvm::Error findCacheStates(mlir::ModuleOp module,
                            const Environment &environment,
                            llvm::StringRef caches,
                            std::vector<TuneTask> &tasks);

/// Lowers every scheduled task of `module` to upstream dialects. GPU kernels
/// become `gpu.binary` ops with their PTX.
mlir::LogicalResult lowerScheduled(mlir::ModuleOp module,
                                   const Environment &environment);

} // namespace pruner

#endif // PRUNER_TUNE_TUNETASK_H
