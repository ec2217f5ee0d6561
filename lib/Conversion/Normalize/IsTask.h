//===- IsTask.h - functions that are not normalized -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_ISTASK_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_ISTASK_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace pruner {

/// True if normalization must not change `func`: a task, whose key and schedule
/// belong to its exact form, or a function of dynamic shape that functions of
/// static shape replace.
inline bool isTask(mlir::func::FuncOp func) {
  return func->hasAttr(PrunerDialect::getTaskAttrName()) ||
         func->hasAttr(PrunerDialect::getPlanAttrName());
}

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_ISTASK_H
