//===- RetireSchedule.h - schedules of lowered kernels ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_UTILS_RETIRESCHEDULE_H
#define PRUNER_DIALECT_PRUNER_UTILS_RETIRESCHEDULE_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

namespace pruner {

/// Replaces the schedule of the function around `kernel` by its text
/// (`pruner.applied`). A lowered function then contains only upstream dialects,
/// and unmodified MLIR tools can read it.
void retireSchedule(KernelOp kernel);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_UTILS_RETIRESCHEDULE_H
