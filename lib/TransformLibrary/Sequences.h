//===- Sequences.h - the transformations of a site --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_SEQUENCES_H
#define PRUNER_LIB_TRANSFORMLIBRARY_SEQUENCES_H

#include "NestPlan.h"
#include "Steps.h"

namespace pruner {

/// Creates a sequence `name` that takes the anchor of `site`, or of an equal
/// one, and creates the loops of `plan`.
mlir::transform::NamedSequenceOp makeTuning(Steps &steps, llvm::StringRef name,
                                            const Site &site,
                                            const NestPlan &plan);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_SEQUENCES_H
