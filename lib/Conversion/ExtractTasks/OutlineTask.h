//===- OutlineTask.h - outline a group as a function ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_EXTRACTTASKS_OUTLINETASK_H
#define PRUNER_LIB_CONVERSION_EXTRACTTASKS_OUTLINETASK_H

#include "pruner/Recognition/TaskFromIR.h"

#include "llvm/ADT/StringMap.h"

namespace mlir {
class RewriterBase;
class SymbolTable;
} // namespace mlir

namespace pruner {

/// Creates the task functions of a module and finds them by key.
class TaskOutliner {
public:
  /// Also finds the tasks that `module` already has.
  TaskOutliner(mlir::ModuleOp module, mlir::SymbolTable &symbols);

  /// Replaces the ops of `group`, which was recognized as `task`, by a call of
  /// the function that contains them. Returns true if that function is new.
  bool outline(mlir::RewriterBase &rewriter, const TaskGroup &group,
               const TaskIR &task);

private:
  mlir::ModuleOp module;
  mlir::SymbolTable &symbols;
  llvm::StringMap<mlir::func::FuncOp> tasks;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_EXTRACTTASKS_OUTLINETASK_H
