//===- WidenTask.h - a task in double precision -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_MEASURE_WIDENTASK_H
#define PRUNER_MEASURE_WIDENTASK_H

#include "pruner/Measure/TaskProgram.h"

namespace pruner {

/// A copy of `task` in which every floating-point type is f64: rounding errors
/// of the reference then do not matter beside those of the candidate. Fails for
/// tasks that look at bit patterns or hold constants of foreign form.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
widenTask(const TaskProgram &task);

/// Turns a widened task into one that, given the absolute values of the inputs,
/// bounds the sum of the absolute values of all terms of each result: the
/// `sum|a||b|` of componentwise error bounds. Differences become sums, extrema
/// and selections become maxima, constants lose their sign (and vanish if they
/// are only the start of an extremum).
llvm::Error makeMagnitudes(mlir::ModuleOp widened);

} // namespace pruner

#endif // PRUNER_MEASURE_WIDENTASK_H
