//===- Passes.td - the normal form of a linalg program -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NORMALIZE_PASSES
#define PRUNER_CONVERSION_NORMALIZE_PASSES

include "pruner/Conversion/Normalize/Accuracy.td"
include "pruner/Conversion/Normalize/Arithmetic.td"
include "pruner/Conversion/Normalize/Cleanup.td"
include "pruner/Conversion/Normalize/Loops.td"
include "pruner/Conversion/Normalize/Views.td"

#endif // PRUNER_CONVERSION_NORMALIZE_PASSES
