//===- SummaryFromIR.h - the summary, read from IR --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_SUMMARYFROMIR_H
#define PRUNER_ANALYSIS_SUMMARYFROMIR_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Program/Summary.h"

namespace pruner {

/// A summary and the op behind each of its statements, for remarks.
struct KernelSummary {
  ProgramSummary summary;
  llvm::SmallVector<mlir::Operation *, 8> ops;
};

/// Reads the summary of a tiled program (producer A): that of `first`, the
/// first kernel of its function, and of those behind it. Equal to
/// `summarize(task, buildTiledProgram(task, schedule))` when `pruner-tile` made
/// the kernels from that schedule. Function arguments that the kernel uses must
/// be plain memrefs of static shape with elements `toElementType` knows;
/// otherwise emits an error.
mlir::FailureOr<KernelSummary> summarizeKernels(KernelOp first);

} // namespace pruner

#endif // PRUNER_ANALYSIS_SUMMARYFROMIR_H
