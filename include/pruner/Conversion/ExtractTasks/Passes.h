//===- Passes.h - outline the tasks of a program ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A task is the unit of tuning. It is either one anchor (an op with a
// reduction, such as a product, convolution, pooling or sum) with the padding
// and elementwise work that is fused to it, or elementwise work alone. Each
// distinct task becomes one private function that the model calls. The function
// has the attribute PrunerDialect::getTaskAttrName(), a dictionary with
//
//   key    = "<32 hex digits>", the hash of the function's content,
//   weight = the number of calls of it in the module (i64),
//   flops  = operations of float or integer arithmetic of one call (i64),
//   bytes  = bytes of the arguments that are read, and of the result (i64).
//
// All reports of a task's work use these numbers. A function written by hand
// may omit them.

#ifndef PRUNER_CONVERSION_EXTRACTTASKS_PASSES_H
#define PRUNER_CONVERSION_EXTRACTTASKS_PASSES_H

#include "pruner/Conversion/ExtractTasks/JoinProducts.h"

#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#include "pruner/Conversion/ExtractTasks/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pruner/Conversion/ExtractTasks/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_CONVERSION_EXTRACTTASKS_PASSES_H
