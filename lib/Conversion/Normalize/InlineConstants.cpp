//===- InlineConstants.cpp - move constant operands into bodies -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/OutputCoverage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <cstring>

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_INLINECONSTANTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// Folds truncf(constant), even if it rounds.
struct FoldTruncatedConstant : OpRewritePattern<arith::TruncFOp> {
  FoldTruncatedConstant(MLIRContext *context,
                        llvm::function_ref<void()> onRewrite)
      : OpRewritePattern(context), onRewrite(onRewrite) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto mode = op.getRoundingmode();
    if (mode && *mode != arith::RoundingMode::to_nearest_even)
      return failure();
    auto type = dyn_cast<FloatType>(op.getType());
    FloatAttr value;
    if (!type || !matchPattern(op.getIn(), m_Constant(&value)))
      return failure();
    llvm::APFloat number = value.getValue();
    bool losesInfo = false;
    number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                   &losesInfo);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, rewriter.getFloatAttr(type, number));
    onRewrite();
    return success();
  }

  llvm::function_ref<void()> onRewrite;
};

/// The element of a resource whose elements are all equal, or null. Exporters
/// keep all weights in resources, zero points among them.
static Attribute splatElement(DenseResourceElementsAttr resource) {
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  Type type = resource.getElementType();
  if (!blob || !type.isIntOrFloat())
    return {};
  llvm::ArrayRef<char> bytes = blob->getData();
  size_t width = llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
  bool isWhole = width * 8 == type.getIntOrFloatBitWidth();
  if ((!isWhole && !type.isInteger(1)) || bytes.size() < width ||
      int64_t(bytes.size() / width) != resource.getNumElements() ||
      std::memcmp(bytes.data(), bytes.data() + width, bytes.size() - width))
    return {};
  if (!isWhole)
    return BoolAttr::get(type.getContext(), bytes.front() != 0);
  return DenseElementsAttr::getFromRawBuffer(RankedTensorType::get({}, type),
                                             bytes.take_front(width))
      .getSplatValue<Attribute>();
}

/// Moves operands with one value everywhere into the body: scalars, splat
/// constants, fills of a constant. (Upstream's pattern also reads 0-d tensors
/// that are not constants inside the body, which hides these reads from the
/// indexing maps.)
struct InlineUniformOperands : OpRewritePattern<linalg::GenericOp> {
  InlineUniformOperands(MLIRContext *context,
                        llvm::function_ref<void()> onRewrite)
      : OpRewritePattern(context), onRewrite(onRewrite) {}

  /// The only element of the tensor `value` as an attribute, or null.
  static TypedAttr splatElement(Value value) {
    Attribute element;
    if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
      matchPattern(fill.getInputs()[0], m_Constant(&element));
    } else {
      SplatElementsAttr splat;
      DenseResourceElementsAttr resource;
      if (matchPattern(value, m_Constant(&splat)))
        element = splat.getSplatValue<Attribute>();
      else if (matchPattern(value, m_Constant(&resource)))
        element = ::splatElement(resource);
    }
    auto typed = dyn_cast_or_null<TypedAttr>(element);
    return isa_and_nonnull<FloatAttr, IntegerAttr>(typed) ? typed : TypedAttr();
  }

  /// A tensor of rank 0 that contains `scalar`.
  static Value tensorOf(RewriterBase &rewriter, Location loc, Value scalar) {
    auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
    if (extract && extract.getTensor().getType().getRank() == 0)
      return extract.getTensor();
    return tensor::FromElementsOp::create(
        rewriter, loc, RankedTensorType::get({}, scalar.getType()), scalar);
  }

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    // A product or convolution keeps its factors, because it is recognized by
    // them. Zero points are not factors.
    const bool hasFactors = linalg::isaContractionOpInterface(op) ||
                            linalg::isaConvolutionOpInterface(op);
    auto isFactor = [&](OpOperand *operand) {
      auto type = dyn_cast<RankedTensorType>(operand->get().getType());
      return hasFactors && type && type.getRank() > 0;
    };
    bool changed = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      // Upstream's patterns erase operands without a reader.
      if (argument.use_empty() || isFactor(operand))
        continue;
      Value scalar;
      if (operand->get().getType() == argument.getType()) {
        scalar = operand->get();
        // A computed scalar becomes a tensor; otherwise the op could not be in
        // a task.
        if (!matchPattern(scalar, m_Constant()) &&
            TensorType::isValidElementType(scalar.getType())) {
          rewriter.setInsertionPoint(op);
          Value tensor = tensorOf(rewriter, op.getLoc(), scalar);
          rewriter.modifyOpInPlace(op, [&] { operand->set(tensor); });
          onRewrite();
          changed = true;
          continue;
        }
      } else if (TypedAttr element = splatElement(operand->get())) {
        rewriter.setInsertionPoint(op);
        scalar = arith::ConstantOp::create(rewriter, op.getLoc(), element);
      } else {
        continue;
      }
      rewriter.replaceAllUsesWith(argument, scalar);
      onRewrite();
      changed = true;
    }
    // A sum whose window has one element adds it to its init. The init must be
    // read as it was before the write.
    if (op.getNumReductionLoops() == 0 && !hasFactors)
      for (OpOperand &init : op.getDpsInitsMutable()) {
        BlockArgument argument = op.getMatchingBlockArgument(&init);
        TypedAttr element = splatElement(init.get());
        if (argument.use_empty() || !element ||
            !pruner::writesAllOnce(op, init))
          continue;
        rewriter.setInsertionPoint(op);
        Value scalar =
            arith::ConstantOp::create(rewriter, op.getLoc(), element);
        rewriter.replaceAllUsesWith(argument, scalar);
        onRewrite();
        changed = true;
      }
    return success(changed);
  }

  llvm::function_ref<void()> onRewrite;
};

struct InlineConstants
    : pruner::impl::InlineConstantsPassBase<InlineConstants> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    auto countTruncation = [&] { ++numTruncations; };
    auto countOperand = [&] { ++numOperands; };
    RewritePatternSet patterns(&getContext());
    patterns.add<FoldTruncatedConstant>(&getContext(), countTruncation);
    patterns.add<InlineUniformOperands>(&getContext(), countOperand);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();

    // Erase operands that have no reader left.
    RewritePatternSet erase(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(erase);
    if (failed(applyPatternsGreedily(getOperation(), std::move(erase))))
      return signalPassFailure();
  }
};
} // namespace
