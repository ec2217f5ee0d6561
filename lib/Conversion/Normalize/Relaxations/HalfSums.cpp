//===- HalfSums.cpp - accumulate products of f16 in f16 -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../CastElements.h"
#include "../FloatFactors.h"
#include "../InstructionProfit.h"
#include "Registry.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pruner;

/// The product that `op` adds to an accumulator in f32 or f16, if it is one of
/// two inputs of f16. The roundings of a product in f16 may be determined.
static arith::MulFOp halfProductOf(linalg::LinalgOp op) {
  auto isHalf = [](Value value) { return value.getType().isF16(); };
  if (std::optional<FloatProduct> product = matchFloatProduct(op)) {
    if (!llvm::all_of(product->factors, isHalf))
      return {};
    return matchCombiner(*op.getBlock())
        ->contribution.getDefiningOp<arith::MulFOp>();
  }
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return {};
  Block *body = op.getBlock();
  auto sum = dyn_cast_or_null<arith::AddFOp>(getCombiner(*body));
  std::optional<CombinerMatch> match = matchCombiner(*body);
  auto product = match ? match->contribution.getDefiningOp<arith::MulFOp>()
                       : arith::MulFOp();
  return sum && product && isHalf(sum) && product->hasOneUse() &&
                 llvm::all_of(product->getOperands(),
                              llvm::IsaPred<BlockArgument>) &&
                 product.getLhs() != product.getRhs() &&
                 !addsHalfProducts(*body)
             ? product
             : arith::MulFOp();
}

/// Makes the body multiply and add in f16, and leaves it open whether products
/// are rounded.
static void narrowBody(arith::MulFOp product, Block &body) {
  auto sum = cast<arith::AddFOp>(getCombiner(body));
  Type half = FloatType(Float16Type::get(sum.getContext()));
  for (OpOperand &factor : product->getOpOperands())
    if (auto extension = factor.get().getDefiningOp<arith::ExtFOp>()) {
      factor.set(extension.getIn());
      if (extension->use_empty())
        extension->erase();
    }
  body.getArguments().back().setType(half);
  product.getResult().setType(half);
  sum.getResult().setType(half);
  product.setFastmath(product.getFastmath() | arith::FastMathFlags::contract);
  sum.setFastmath(sum.getFastmath() | arith::FastMathFlags::contract);
}

namespace {
class HalfSums final : public Relaxation {
public:
  HalfSums()
      : Relaxation("f16-sums",
                   "short sums of products of f16 accumulate in f16 "
                   "if tensor cores make this faster") {}

  unsigned apply(IRRewriter &rewriter, func::FuncOp function,
                 const RelaxationUse &use) const override {
    SmallVector<linalg::LinalgOp> sums;
    function.walk([&](linalg::LinalgOp op) {
      if (halfProductOf(op) && profitsFromHalfSums(op, use.machines))
        sums.push_back(op);
    });
    for (linalg::LinalgOp op : sums)
      narrow(rewriter, op);
    return sums.size();
  }

private:
  static void narrow(IRRewriter &rewriter, linalg::LinalgOp op) {
    if (!isa<linalg::GenericOp>(op.getOperation())) {
      // Named ops have bodies of their own.
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> made =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        return;
      op = *made;
    }
    Value result = op->getResult(0);
    auto type = cast<FloatType>(
        cast<RankedTensorType>(result.getType()).getElementType());
    bool isWide = type.isF32();
    Value init =
        isWide ? castInit<arith::TruncFOp>(rewriter, op, rewriter.getF16Type())
               : op.getDpsInits()[0];
    rewriter.modifyOpInPlace(op, [&] {
      narrowBody(halfProductOf(op), *op.getBlock());
      op.setDpsInitOperand(0, init);
      result.setType(init.getType());
    });
    if (!isWide)
      return;
    rewriter.setInsertionPointAfter(op);
    Value extended =
        castElements<arith::ExtFOp>(rewriter, op.getLoc(), result, type);
    rewriter.replaceAllUsesExcept(result, extended, extended.getDefiningOp());
  }
};
} // namespace

const Relaxation &pruner::halfSums() {
  static const HalfSums relaxation;
  return relaxation;
}
