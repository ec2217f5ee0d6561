//===- TaskText.cpp - tasks as text in records and datasets ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Recognition/TaskText.h"

#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Recognition/AnchorKind.h"
#include "pruner/Recognition/TaskInfo.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace pruner;

static linalg::LinalgOp namingOp(const TaskIR &task) {
  if (!task.desc.rows)
    return task.ops[task.desc.anchor];
  if (task.desc.joinsProducts())
    for (linalg::LinalgOp op : llvm::reverse(task.ops))
      if (op.getNumReductionLoops() > 0)
        return op;
  return task.ops.back();
}

std::string pruner::taskKind(const TaskIR &task) {
  if (task.desc.rows)
    return task.desc.joinsProducts() ? "chain" : "rows";
  return task.desc.hasReduction() ? describeAnchor(namingOp(task)).name
                                  : "elementwise";
}

std::string pruner::taskStem(const TaskIR &task) {
  std::string stem = "task_" + taskKind(task);
  char separator = '_';
  for (int64_t extent : namingOp(task).getStaticLoopRanges()) {
    stem += separator + std::to_string(extent);
    separator = 'x';
  }
  return stem;
}

/// The only function of a module, if it has one block.
static func::FuncOp onlyFunction(ModuleOp module) {
  auto functions = module.getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(functions))
    return nullptr;
  func::FuncOp function = *functions.begin();
  return llvm::hasSingleElement(function.getBody()) ? function : nullptr;
}

llvm::Expected<ParsedTask> pruner::parseTaskText(llvm::StringRef text,
                                                 MLIRContext *context) {
  std::string diagnostics;
  ScopedDiagnosticHandler collect(context, [&](Diagnostic &diagnostic) {
    if (diagnostics.empty())
      diagnostics = ": " + diagnostic.str();
  });
  ParsedTask task;
  task.module = parseModuleText(text, context, "task");
  func::FuncOp function = task.module ? onlyFunction(*task.module) : nullptr;
  if (!function)
    return llvm::createStringError("expected a module with one function" +
                                   diagnostics);
  task.key = taskKey(function);
  FailureOr<TaskIR> ir = readTask(function);
  if (failed(ir))
    return llvm::createStringError("expected a task that can be tuned" +
                                   diagnostics);
  task.ir = std::move(*ir);
  return std::move(task);
}
