//===- BodyPatterns.h - patterns for the bodies of kernels ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_KERNELTOLLVM_BODYPATTERNS_H
#define PRUNER_LIB_CONVERSION_KERNELTOLLVM_BODYPATTERNS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {

/// Conversions to the LLVM dialect that CPU and GPU kernels share: functions,
/// control flow, arithmetic, memrefs and vectors. With `reassociate`, the
/// elements of a vector may be added in any order.
void populateBodyPatterns(const mlir::LLVMTypeConverter &converter,
                          mlir::RewritePatternSet &patterns, bool reassociate);

/// The patterns among these that load and store i1 vectors, one byte per lane.
void populateBitLanePatterns(const mlir::LLVMTypeConverter &converter,
                             mlir::RewritePatternSet &patterns);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_KERNELTOLLVM_BODYPATTERNS_H
