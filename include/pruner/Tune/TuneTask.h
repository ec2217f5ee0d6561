//===- TuneTask.h - a task on its way through tuning ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// A task of the module that is tuned: its function there, and all that the
/// tuner and its workers are told of it.
struct TuneTask {
  mlir::func::FuncOp function;
  TaskDesc desc;
  std::string kind; ///< Of operation, see `taskKind`.
  std::string key;  ///< From `pruner.task`.
  std::string text; ///< A module of its own, for workers and the database.
  /// From `pruner.task`, too.
  double weight = 1, flops = 0, bytes = 0;
  /// In which it is timed: warm unless `findCacheStates` found another.
  CacheState cacheState;
  /// Schedules of other tasks that the first round may adopt (SimilarTasks.h).
  std::vector<Schedule> similar;

  StoredTask stored() const { return {key, desc.name, text, flops, bytes}; }
};

/// The task functions of a module, in order; extracts them first if there are
/// none. Fails with diagnostics.
mlir::FailureOr<std::vector<TuneTask>>
collectTasks(mlir::ModuleOp module, bool verboseRemarks = false);

/// What measurements are comparable: the part of a record's identity that does
/// not depend on the task.
struct Environment {
  CodeTarget target;
  Machine machine;
  unsigned threads = 1;
  /// What a builder behind a command calls itself, such as "iree-3.13.0"; empty
  /// for this code generator. Records of one are none of another.
  std::string builder;

  std::string machineKey() const { return machine.key(); }
  std::string pipelineOptions() const;
  static std::string toolchain();

  /// `threads` 0 becomes the number of cores. Errors name the option.
  static llvm::Expected<Environment> create(llvm::StringRef target,
                                            unsigned threads);
  /// Records of `task` in this environment, made by this code generator.
  RecordQuery query(const TuneTask &task) const;
};

/// How the analytical model looks at the task there.
PsaOptions psaOptions(const Environment &environment, const TuneTask &task);

/// Sets the states of the caches in which the network of `module` calls its
/// tasks, where these run on a CPU and the option `caches` is 'network'; with
/// 'warm' they stay warm. Anything else is an error that names the option.
llvm::Error findCacheStates(mlir::ModuleOp module,
                            const Environment &environment,
                            llvm::StringRef caches,
                            std::vector<TuneTask> &tasks);

/// Lowers every scheduled task of `module` to upstream dialects; the kernels
/// of a GPU become `gpu.binary` ops that hold their PTX.
mlir::LogicalResult lowerScheduled(mlir::ModuleOp module,
                                   const Environment &environment);

} // namespace pruner

#endif // PRUNER_TUNE_TUNETASK_H
