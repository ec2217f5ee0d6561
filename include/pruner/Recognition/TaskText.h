//===- TaskText.h - tasks as records and datasets keep them -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECOGNITION_TASKTEXT_H
#define PRUNER_RECOGNITION_TASKTEXT_H

#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pruner {

/// The kind of operation: that of the anchor ("matmul", see AnchorKind.h),
/// "elementwise" or "rows".
std::string taskKind(const TaskIR &task);

/// "task_matmul_128x512x512": the kind and the loop extents.
std::string taskStem(const TaskIR &task);

/// A task that was read from text. `ir` refers to `module`.
struct ParsedTask {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string key; ///< `taskKey` of its function.
  TaskIR ir;
};

/// The task that `text` spells: a module with one function of one block, which
/// is that of a task. The error is a sentence.
llvm::Expected<ParsedTask> parseTaskText(llvm::StringRef text,
                                         mlir::MLIRContext *context);

} // namespace pruner

#endif // PRUNER_RECOGNITION_TASKTEXT_H
