//===- IsTask.h - tasks are in their form already ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_ISTASK_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_ISTASK_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// A task has a canonical form of its own, and a key and perhaps a schedule
/// that belong to it: normalisation leaves it alone. So it does a function of
/// dynamic shape that has functions of static shape in its place.
inline bool isTask(mlir::func::FuncOp func) {
  return func->hasAttr(PrunerDialect::getTaskAttrName()) ||
         func->hasAttr(PrunerDialect::getPlanAttrName());
}

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_ISTASK_H
