//===- Forms.h - choose the forms of parts of a module ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MODULETASKS_FORMS_H
#define PRUNER_MODULETASKS_FORMS_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Record/Choice.h"
#include "pruner/Search/NetworkPart.h"

namespace pruner {

/// The calls of `tasks` in `module`, by their positions. A
/// `pruner.alternatives` is a choice unless it has a chosen form, which is then
/// part of the network, or calls a task that is not among `tasks`. Tasks that
/// no form calls have the weights of their attributes.
NetworkPart readNetwork(mlir::ModuleOp module,
                        llvm::ArrayRef<ModuleTask> tasks);

/// Seconds of one execution of each form of a part. Only the calls of tasks
/// count.
struct FormTimes {
  AlternativesOp op;
  /// Infinity where a task has no time or is not among the given ones.
  std::vector<double> seconds;
  /// Whether the calls were timed inside of a network.
  bool inNetwork = false;

  /// The forms with their times and tasks, the executed form first: "joined
  /// 1.21 ms (task_chain_8x8), separate 1.53 ms (task_a, task_b)"; then ", in
  /// the network" if the calls were timed there.
  std::string str();
};

/// One line for each distinct decision, with the number of parts: "12 x ...".
std::vector<std::string> describeForms(llvm::ArrayRef<FormTimes> all);

/// The times of all parts with several forms. `timesOf` has the times of one
/// call of each task. Where a comparison inside a network has timed the tasks
/// of all forms, the latest one counts; elsewhere the times alone.
std::vector<FormTimes> timeForms(mlir::ModuleOp module,
                                 llvm::ArrayRef<ModuleTask> tasks,
                                 llvm::ArrayRef<CallTimes> timesOf);

/// Sets `chosen` to the fastest form where no form is chosen, all tasks of all
/// forms are among `tasks`, and a form has a time. Returns these parts, inner
/// ones first.
std::vector<AlternativesOp> chooseForms(mlir::ModuleOp module,
                                        llvm::ArrayRef<ModuleTask> tasks,
                                        llvm::ArrayRef<CallTimes> timesOf);

} // namespace pruner

#endif // PRUNER_MODULETASKS_FORMS_H
