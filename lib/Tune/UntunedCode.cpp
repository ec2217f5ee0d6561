//===- UntunedCode.cpp - defects of the untuned code of tasks -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UntunedCode.h"

using namespace pruner;

/// Describes the defect of code whose measurement ended with `status`; empty if
/// the code is not at fault.
static llvm::StringRef describeDefect(std::optional<MeasureStatus> status) {
  if (!status)
    return "";
  switch (*status) {
  case MeasureStatus::WrongResult:
    return "computes a wrong result";
  case MeasureStatus::BuildError:
  case MeasureStatus::BuildCrash:
    return "cannot be compiled";
  case MeasureStatus::RunCrash:
    return "crashes";
  default:
    return "";
  }
}

mlir::LogicalResult
pruner::checkUntunedCode(const Environment &environment,
                         llvm::ArrayRef<ModuleTask> tasks,
                         llvm::ArrayRef<TaskOutcome> outcomes) {
  if (!environment.builder.empty()) // Another compiler's code.
    return mlir::success();
  bool isRight = true;
  for (auto [task, outcome] : llvm::zip_equal(tasks, outcomes)) {
    llvm::StringRef what = describeDefect(outcome.defaultStatus);
    if (what.empty())
      continue;
    mlir::func::FuncOp function = task.function;
    // A worker may die, or a runner send nonsense, for reasons other than the
    // code.
    if (outcome.defaultStatus == MeasureStatus::RunCrash) {
      function.emitWarning("the untuned code of task @")
          << task.desc.name << " " << what << ": " << outcome.defaultReason;
      continue;
    }
    isRight = false;
    function.emitError("the untuned code of task @")
        << task.desc.name << " " << what << ": " << outcome.defaultReason
        << "; this is a bug in the compiler; all measurements are in the "
           "database";
  }
  return mlir::success(isRight);
}
