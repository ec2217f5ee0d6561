//===- BitLanes.cpp - vectors of i1 in memory -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An element of an i1 buffer takes one byte, of which the lowest bit counts.
// LLVM would pack the lanes of an i1 vector, so loads and stores convert to i8.

#include "BodyPatterns.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace {
/// Lowers `Op`, which moves lanes to or from a buffer of scalars.
template <typename Op> struct BitLanes : ConvertOpToLLVMPattern<Op> {
  explicit BitLanes(const LLVMTypeConverter &converter)
      // Has priority over the patterns for vectors of other elements.
      : ConvertOpToLLVMPattern<Op>(converter, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getMemRefType().getElementType().isInteger(1))
      return failure();
    Location loc = op.getLoc();
    Value address =
        this->getStridedElementPtr(rewriter, loc, op.getMemRefType(),
                                   adaptor.getBase(), adaptor.getIndices());
    VectorType bits = op.getVectorType(),
               bytes = bits.clone(rewriter.getI8Type());
    constexpr unsigned align = 1;
    auto widened = [&](Value lanes) -> Value {
      return LLVM::ZExtOp::create(rewriter, loc, bytes, lanes);
    };
    if constexpr (std::is_same_v<Op, vector::LoadOp>) {
      Value loaded = LLVM::LoadOp::create(rewriter, loc, bytes, address, align);
      rewriter.replaceOpWithNewOp<LLVM::TruncOp>(op, bits, loaded);
    } else if constexpr (std::is_same_v<Op, vector::MaskedLoadOp>) {
      Value loaded = LLVM::MaskedLoadOp::create(
          rewriter, loc, bytes, address, adaptor.getMask(),
          widened(adaptor.getPassThru()), align);
      rewriter.replaceOpWithNewOp<LLVM::TruncOp>(op, bits, loaded);
    } else if constexpr (std::is_same_v<Op, vector::StoreOp>) {
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(
          op, widened(adaptor.getValueToStore()), address, align);
    } else {
      rewriter.replaceOpWithNewOp<LLVM::MaskedStoreOp>(
          op, widened(adaptor.getValueToStore()), address, adaptor.getMask(),
          align);
    }
    return success();
  }
};
} // namespace

void pruner::populateBitLanePatterns(const LLVMTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<BitLanes<vector::LoadOp>, BitLanes<vector::MaskedLoadOp>,
               BitLanes<vector::StoreOp>, BitLanes<vector::MaskedStoreOp>>(
      converter);
}
