//===- BodyPatterns.cpp - patterns for the bodies of kernels --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BodyPatterns.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"

using namespace mlir;

void pruner::populateBodyPatterns(const LLVMTypeConverter &converter,
                                  RewritePatternSet &patterns,
                                  bool reassociate) {
  populateFuncToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/false);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  // Canonicalization builds multi-dimensional vectors from elements.
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  populateBitLanePatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns, reassociate,
                                         /*force32BitVectorIndices=*/true);
}
