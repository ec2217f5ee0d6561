//===- UntunedCode.h - defects of the untuned code of tasks -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_UNTUNEDCODE_H
#define PRUNER_LIB_TUNE_UNTUNEDCODE_H

#include "pruner/Tune/Tuner.h"

namespace pruner {

/// Fails if the untuned code of a task is wrong or cannot be compiled. Untuned
/// tasks run it, so this is a bug in the compiler whether or not a schedule was
/// found. Warns if it crashed.
mlir::LogicalResult checkUntunedCode(const Environment &environment,
                                     llvm::ArrayRef<ModuleTask> tasks,
                                     llvm::ArrayRef<TaskOutcome> outcomes);

} // namespace pruner

#endif // PRUNER_LIB_TUNE_UNTUNEDCODE_H
