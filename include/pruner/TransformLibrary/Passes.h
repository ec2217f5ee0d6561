//===- Passes.h - schedules for the transform interpreter -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exports schedules as scripts of MLIR's transform dialect: matchers that find
// the ops of tasks in the user's module, and for each a sequence of upstream
// transformations. Any compiler based on MLIR can apply them without Pruner.
// They express as much of a schedule as upstream's ops can; the pass reports
// the rest.

#ifndef PRUNER_TRANSFORMLIBRARY_PASSES_H
#define PRUNER_TRANSFORMLIBRARY_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "pruner/TransformLibrary/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_TRANSFORMLIBRARY_PASSES_H
