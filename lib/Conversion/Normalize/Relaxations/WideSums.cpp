//===- WideSums.cpp - accumulate narrow floats in f32 ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../CastElements.h"
#include "Registry.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace pruner;

/// Whether `op` adds up numbers in an accumulator of f16 or bf16.
static bool addsNarrow(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return false;
  Block *body = op.getBlock();
  return isa<Float16Type, BFloat16Type>(
             body->getArguments().back().getType()) &&
         isa_and_nonnull<arith::AddFOp>(getCombiner(*body));
}

/// Makes the body add in f32, and multiply there as well if it adds products.
static void widenBody(IRRewriter &rewriter, Block &body) {
  FloatType wide = rewriter.getF32Type();
  auto add = cast<arith::AddFOp>(getCombiner(body));
  BlockArgument sum = body.getArguments().back();
  OpOperand &term = add->getOpOperand(add.getLhs() == sum ? 1 : 0);
  auto product = term.get().getDefiningOp<arith::MulFOp>();
  bool multiplies = product && product->hasOneUse();
  Operation *last = multiplies ? product.getOperation() : add.getOperation();
  rewriter.setInsertionPoint(last);
  auto extend = [&](OpOperand &operand) {
    operand.set(
        arith::ExtFOp::create(rewriter, last->getLoc(), wide, operand.get()));
  };
  if (multiplies) {
    for (OpOperand &factor : product->getOpOperands())
      extend(factor);
    product.getResult().setType(wide);
  } else {
    extend(term);
  }
  sum.setType(wide);
  add.getResult().setType(wide);
}

namespace {
class WideSums final : public Relaxation {
public:
  WideSums()
      : Relaxation("wide-sums", "sums in f16 and bf16 accumulate in f32 and "
                                "are rounded once") {}

  unsigned apply(IRRewriter &rewriter, func::FuncOp function,
                 const RelaxationUse &) const override {
    SmallVector<linalg::LinalgOp> sums;
    function.walk([&](linalg::LinalgOp op) {
      if (addsNarrow(op))
        sums.push_back(op);
    });
    for (linalg::LinalgOp op : sums)
      widen(rewriter, op);
    return sums.size();
  }

private:
  static void widen(IRRewriter &rewriter, linalg::LinalgOp op) {
    Value result = op->getResult(0);
    auto narrow = cast<FloatType>(
        cast<RankedTensorType>(result.getType()).getElementType());
    Value init = castInit<arith::ExtFOp>(rewriter, op, rewriter.getF32Type());
    rewriter.modifyOpInPlace(op, [&] {
      widenBody(rewriter, *op.getBlock());
      op.setDpsInitOperand(0, init);
      result.setType(init.getType());
    });
    rewriter.setInsertionPointAfter(op);
    Value rounded =
        castElements<arith::TruncFOp>(rewriter, op.getLoc(), result, narrow);
    rewriter.replaceAllUsesExcept(result, rounded, rounded.getDefiningOp());
  }
};
} // namespace

const Relaxation &pruner::wideSums() {
  static const WideSums relaxation;
  return relaxation;
}
