//===- ModuleTask.h - a task of a module ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MODULETASKS_MODULETASK_H
#define PRUNER_MODULETASKS_MODULETASK_H

#include "pruner/Analysis/Psa.h"
#include "pruner/Conversion/ExtractTasks/JoinProducts.h"
#include "pruner/ModuleTasks/Environment.h"
#include "pruner/Program/CacheState.h"
#include "pruner/Program/Task.h"
#include "pruner/Record/Record.h"
#include "pruner/Sketch/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// A task of a module: its function, and what the tuner and the workers need to
/// know about it.
struct ModuleTask {
  mlir::func::FuncOp function;
  TaskDesc desc;
  std::string kind; ///< Kind of operation, see `taskKind`.
  std::string key;  ///< From `pruner.task`.
  std::string text; ///< A module with this task alone.
  /// Also from `pruner.task`.
  double weight = 1, flops = 0, bytes = 0;
  /// The cache state for timing: warm, unless `findCacheStates` set another.
  CacheState cacheState;
  /// Schedules of similar tasks, which the first round of a tuning run
  /// measures.
  std::vector<Schedule> similar;

  StoredTask stored() const { return {key, desc.name, text, flops, bytes}; }
};

/// How the tasks of a module are extracted.
struct TaskOptions {
  /// Emit one remark for each operation outside the tasks, instead of one for
  /// all with the same reason.
  bool verboseRemarks = false;
  /// Relaxations that are allowed in addition to those of the module's
  /// attribute, a list such as "wide-sums,bf16-products"
  /// (Conversion/Normalize/Accuracy.h).
  std::string accuracy;
  /// The machines whose instructions decide about accuracy and the order of
  /// dimensions; none: this host.
  std::vector<Machine> machines;
  /// Never if a machine is a GPU, which has no sketch for such tasks.
  JoinProducts joinProducts = JoinProducts::Never;
  /// Whether parts with two forms, as a relaxation makes them, keep both until
  /// times of their tasks decide. Never if a machine is a GPU.
  bool measuresForms = false;
  /// Also return the tasks that only forms call that are not the chosen ones of
  /// their parts (`pruner.alternatives`).
  bool ofAllForms = false;
};

/// Returns the tasks of a module in order. Extracts them first if there are
/// none. Fails with diagnostics, also if the tasks were extracted without a
/// relaxation that `options` names.
mlir::FailureOr<std::vector<ModuleTask>>
collectTasks(mlir::ModuleOp module, const TaskOptions &options = {});

/// The relaxations of the module's attribute, as a list.
std::string accuracyOf(mlir::ModuleOp module);

/// The options of the analytical model for the task in this environment.
PsaOptions psaOptions(const Environment &environment, const ModuleTask &task);

/// With `caches` "network" on a CPU, sets the cache states in which the network
/// of `module` calls its tasks. With "warm" they stay warm. Any other value is
/// an error that names the option.
llvm::Error findCacheStates(mlir::ModuleOp module,
                            const Environment &environment,
                            llvm::StringRef caches,
                            std::vector<ModuleTask> &tasks);

/// Lowers every scheduled task of `module` to upstream dialects. GPU kernels
/// become `gpu.binary` ops with their PTX.
mlir::LogicalResult lowerScheduled(mlir::ModuleOp module,
                                   const Environment &environment);

} // namespace pruner

#endif // PRUNER_MODULETASKS_MODULETASK_H
