//===- Passes.h - cutting a program into tasks ------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task is the unit that is tuned: one anchor (an op with a reduction: a
// product, convolution, pooling, sum ...) with the padding and elementwise work
// that can ride along, or elementwise work alone. Each
// distinct task becomes one private function that the model calls. It carries
// PrunerDialect::getTaskAttrName(), a dictionary with
//   key    = "<32 hex digits>", the hash of the function's content,
//   weight = how many calls of it the module holds (i64),
//   flops  = operations of float or integer arithmetic of one call (i64),
//   bytes  = bytes of the arguments that are read, and of the result (i64).
// Everything that tells of a task's work takes it from there. A function that
// was written by hand may leave the numbers out.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_EXTRACTTASKS_PASSES_H
#define PRUNER_CONVERSION_EXTRACTTASKS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#include "pruner/Conversion/ExtractTasks/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pruner/Conversion/ExtractTasks/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_CONVERSION_EXTRACTTASKS_PASSES_H
