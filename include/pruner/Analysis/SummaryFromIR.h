//===- SummaryFromIR.h - summaries of tiled IR ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_ANALYSIS_SUMMARYFROMIR_H
#define PRUNER_ANALYSIS_SUMMARYFROMIR_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Program/Summary.h"

namespace pruner {

/// A summary and the op of each of its statements, for remarks.
struct KernelSummary {
  ProgramSummary summary;
  llvm::SmallVector<mlir::Operation *, 8> ops;
};

/// Reads the summary of a tiled program: of `first`, the first kernel of its
/// function, and of the kernels after it. If `pruner-tile` made the kernels,
/// the result equals `summarize(task, buildTiledProgram(task, schedule))`. The
/// function arguments that the kernels use must be plain memrefs of static
/// shape with an element type that `toElementType` supports. Otherwise emits an
/// error.
mlir::FailureOr<KernelSummary> summarizeKernels(KernelOp first);

} // namespace pruner

#endif // PRUNER_ANALYSIS_SUMMARYFROMIR_H
