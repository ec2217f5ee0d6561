//===- SinkBroadcasts.cpp - broadcast after other work --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "MatchCopy.h"
#include "MatchProduct.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_SINKBROADCASTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// Whether `copy` repeats its source along dimension `dim` of `type`.
static bool repeats(const pruner::CopyOf &copy, RankedTensorType type,
                    int64_t dim) {
  return type.getDimSize(dim) != 1 && !copy.map.isFunctionOfDim(dim);
}

/// The copy that makes `value`, if it repeats a tensor along a dimension.
static std::optional<pruner::CopyOf> matchBroadcast(Value value) {
  std::optional<pruner::CopyOf> copy = pruner::matchCopy(value.getDefiningOp());
  if (!copy)
    return std::nullopt;
  auto type = cast<RankedTensorType>(value.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (repeats(*copy, type, dim))
      return copy;
  return std::nullopt;
}

/// Whether `operand` reads a broadcast whose new dimension is merged with
/// another one. Its owner then takes the rank of the broadcast.
static bool mergesBroadcast(OpOperand *operand) {
  auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse || isa<tensor::ExpandShapeOp>(operand->getOwner()) ||
      !pruner::leadsToContraction(operand->get()))
    return false;
  std::optional<pruner::CopyOf> copy = matchBroadcast(collapse.getSrc());
  RankedTensorType type = collapse.getSrcType();
  return copy &&
         llvm::any_of(collapse.getReassociationIndices(), [&](auto group) {
           return llvm::count_if(group,
                                 [&](int64_t dim) {
                                   return type.getDimSize(dim) != 1;
                                 }) > 1 &&
                  llvm::any_of(group, [&](int64_t dim) {
                    return repeats(*copy, type, dim);
                  });
         });
}

namespace {
/// Computes an elementwise op on the tensor before a broadcast, and broadcasts
/// its result.
struct SinkBroadcast : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!pruner::computesElements(op) ||
        !pruner::leadsToContraction(op.getResult(0)))
      return failure();
    OpOperand *init = op.getDpsInitOperand(0);
    AffineMap out = op.getMatchingIndexingMap(init);
    if (op.payloadUsesValueFromOperand(init) || !out.isPermutation())
      return failure();
    // The loops that some input uses before its broadcast.
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    llvm::BitVector used(op.getNumLoops());
    for (OpOperand *input : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(input);
      inputs.push_back(input->get());
      if (auto copy = matchBroadcast(input->get())) {
        inputs.back() = copy->source;
        map = copy->map.compose(map);
      }
      maps.push_back(map);
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        if (map.isFunctionOfDim(loop))
          used.set(loop);
    }
    if (used.all() || used.none() || llvm::equal(inputs, op.getDpsInputs()))
      return failure();

    MLIRContext *context = rewriter.getContext();
    SmallVector<AffineExpr> renumbered(op.getNumLoops(),
                                       getAffineConstantExpr(0, context)),
        kept;
    SmallVector<int64_t> extents = op.getStaticLoopRanges(), shape;
    for (unsigned loop : used.set_bits()) {
      renumbered[loop] = getAffineDimExpr(shape.size(), context);
      kept.push_back(getAffineDimExpr(loop, context));
      shape.push_back(extents[loop]);
    }
    if (ShapedType::isDynamicShape(shape))
      return failure();
    for (AffineMap &map : maps)
      map = map.replaceDimsAndSymbols(renumbered, {}, shape.size(), 0);
    maps.push_back(rewriter.getMultiDimIdentityMap(shape.size()));
    auto parallel = [](size_t loops) {
      return SmallVector(loops, utils::IteratorType::parallel);
    };
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape,
                                          type.getElementType());
    auto computed =
        linalg::GenericOp::create(rewriter, op.getLoc(), empty.getType(),
                                  inputs, empty, maps, parallel(shape.size()));
    rewriter.inlineRegionBefore(op.getRegion(), computed.getRegion(),
                                computed.getRegion().begin());
    auto source = AffineMap::get(op.getNumLoops(), 0, kept, context);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, type, computed.getResult(0), op.getDpsInits(),
        ArrayRef<AffineMap>{source, out}, parallel(op.getNumLoops()),
        [](OpBuilder &builder, Location loc, ValueRange elements) {
          linalg::YieldOp::create(builder, loc, elements.front());
        });
    return success();
  }
};

struct SinkBroadcasts : pruner::impl::SinkBroadcastsPassBase<SinkBroadcasts> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns,
                                                      mergesBroadcast);
    patterns.add<SinkBroadcast>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
