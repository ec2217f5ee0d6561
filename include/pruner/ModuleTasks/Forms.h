//===- Forms.h - choose the forms of parts of a module ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MODULETASKS_FORMS_H
#define PRUNER_MODULETASKS_FORMS_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/ModuleTasks/ModuleTask.h"
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

  /// The forms with their times and tasks, the executed form first: "joined
  /// 1.21 ms (task_chain_8x8), separate 1.53 ms (task_a, task_b)".
  std::string str();
};

/// One line for each distinct decision, with the number of parts: "12 x ...".
std::vector<std::string> describeForms(llvm::ArrayRef<FormTimes> all);

/// The times of all parts with several forms. `secondsOf` has the time of one
/// call of each task; infinity if unknown.
std::vector<FormTimes> timeForms(mlir::ModuleOp module,
                                 llvm::ArrayRef<ModuleTask> tasks,
                                 llvm::ArrayRef<double> secondsOf);

/// Sets `chosen` to the fastest form where no form is chosen, all tasks of all
/// forms are among `tasks`, and a form has a time.
void chooseForms(mlir::ModuleOp module, llvm::ArrayRef<ModuleTask> tasks,
                 llvm::ArrayRef<double> secondsOf);

} // namespace pruner

#endif // PRUNER_MODULETASKS_FORMS_H
