//===- RaiseBiasInits.cpp - add a bias after the sum ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "MatchCopy.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_RAISEBIASINITSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// True if the flags of the addition `add` also hold for other partial sums. If
/// they exclude an infinity, NaN or overflow, a sum that starts from zero may
/// violate them.
static bool allowsOtherOrder(Operation *add) {
  auto addition = dyn_cast<arith::AddFOp>(add);
  return !addition || !bitEnumContainsAny(addition.getFastmath(),
                                          arith::FastMathFlags::nnan |
                                              arith::FastMathFlags::ninf);
}

/// True if `op` reduces by addf or addi, and the added value does not depend on
/// the init or the partial sum.
static bool sumsIntoInit(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 ||
      !(linalg::isaContractionOpInterface(op) ||
        linalg::isaConvolutionOpInterface(op)))
    return false;
  Operation *add = pruner::getCombiner(*op.getBlock());
  return isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add) &&
         allowsOtherOrder(add);
}

/// The tensor that `init` broadcasts or permutes, with its map. `init` itself
/// if another elementwise op computes it. None if it is a fill, an argument or
/// the result of another sum.
static std::optional<pruner::CopyOf> matchBias(Value init) {
  Operation *op = init.getDefiningOp();
  if (std::optional<pruner::CopyOf> copy = pruner::matchCopy(op))
    return copy;
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic.getNumParallelLoops() != generic.getNumLoops() ||
      generic.getNumDpsInputs() == 0)
    return std::nullopt;
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  return pruner::CopyOf{
      init, AffineMap::getMultiDimIdentityMap(rank, init.getContext())};
}

/// Starts `op` from zero and adds `bias` to its result.
static void raise(IRRewriter &rewriter, linalg::LinalgOp op,
                  const pruner::CopyOf &bias) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getDpsInits()[0]);
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  Value filled =
      linalg::FillOp::create(rewriter, loc, zero, empty)->getResult(0);
  rewriter.modifyOpInPlace(op, [&] { op.setDpsInitOperand(0, filled); });

  rewriter.setInsertionPointAfter(op);
  AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
  Value sum = pruner::mapElements(
      rewriter, loc, empty, ValueRange{op->getResult(0), bias.source},
      {identity, bias.map},
      [](OpBuilder &builder, Location loc, ValueRange args) -> Value {
        if (isa<FloatType>(args[0].getType()))
          return arith::AddFOp::create(builder, loc, args[0], args[1]);
        return arith::AddIOp::create(builder, loc, args[0], args[1]);
      });
  rewriter.replaceAllUsesExcept(op->getResult(0), sum, sum.getDefiningOp());
}

namespace {
struct RaiseBiasInits : pruner::impl::RaiseBiasInitsPassBase<RaiseBiasInits> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> sums;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (sumsIntoInit(op))
        sums.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : sums)
      if (std::optional<pruner::CopyOf> bias = matchBias(op.getDpsInits()[0])) {
        raise(rewriter, op, *bias);
        ++numRaised;
      }
  }
};
} // namespace
