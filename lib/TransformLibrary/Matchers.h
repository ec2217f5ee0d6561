//===- Matchers.h - find the ops of tasks -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_MATCHERS_H
#define PRUNER_LIB_TRANSFORMLIBRARY_MATCHERS_H

#include "Bodies.h"
#include "Sites.h"
#include "Steps.h"

namespace pruner {

/// A sequence `name` that takes any op and succeeds for the root of a site like
/// this one. It yields the anchor, then the ops of the chain in order.
mlir::transform::NamedSequenceOp makeMatcher(Steps &steps, Bodies &bodies,
                                             llvm::StringRef name,
                                             const Site &site);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_MATCHERS_H
