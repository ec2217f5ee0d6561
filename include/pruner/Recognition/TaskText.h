//===- TaskText.h - tasks as text in records and datasets -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECOGNITION_TASKTEXT_H
#define PRUNER_RECOGNITION_TASKTEXT_H

#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pruner {

/// The kind of operation: the anchor's kind ("matmul", see AnchorKind.h),
/// "elementwise" or "rows".
std::string taskKind(const TaskIR &task);

/// The kind and the loop extents, such as "task_matmul_128x512x512".
std::string taskStem(const TaskIR &task);

/// A task parsed from text. `ir` refers to `module`.
struct ParsedTask {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string key; ///< `taskKey` of its function.
  TaskIR ir;
};

/// Parses `text`, a module with one task function of one block.
llvm::Expected<ParsedTask> parseTaskText(llvm::StringRef text,
                                         mlir::MLIRContext *context);

} // namespace pruner

#endif // PRUNER_RECOGNITION_TASKTEXT_H
