//===- BodyPatterns.h - what kernels consist of --------------- -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_KERNELTOLLVM_BODYPATTERNS_H
#define PRUNER_LIB_CONVERSION_KERNELTOLLVM_BODYPATTERNS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {

/// Conversions to the LLVM dialect of what kernels for CPUs and GPUs share:
/// functions, control flow, arithmetic, memrefs and vectors. `reassociate`:
/// elements of a vector may be added in any order.
void populateBodyPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns, bool reassociate);

/// Of these, loads and stores of vectors of i1, each lane of which is a byte in
/// memory, as for scalars.
void populateBitLanePatterns(const mlir::LLVMTypeConverter &converter,
                             mlir::RewritePatternSet &patterns);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_KERNELTOLLVM_BODYPATTERNS_H
