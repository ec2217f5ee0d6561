//===- TensorFloatProducts.cpp - round factors of products to tf32 --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../FloatFactors.h"
#include "../InstructionProfit.h"
#include "Registry.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pruner;

/// Lets the body of `op` round its element `factor` to tf32.
static void roundFactor(IRRewriter &rewriter, linalg::LinalgOp op,
                        BlockArgument factor) {
  rewriter.setInsertionPointToStart(op.getBlock());
  Value rounded = arith::TruncFOp::create(
      rewriter, op.getLoc(), rewriter.getTF32Type(), factor,
      arith::RoundingModeAttr::get(rewriter.getContext(),
                                   arith::RoundingMode::to_nearest_away),
      arith::FastMathFlagsAttr());
  Value extended = arith::ExtFOp::create(rewriter, op.getLoc(),
                                         rewriter.getF32Type(), rounded);
  rewriter.replaceAllUsesExcept(factor, extended, rounded.getDefiningOp());
}

namespace {
class TensorFloatProducts final : public Relaxation {
public:
  TensorFloatProducts()
      : Relaxation(
            "tf32-products",
            "factors of f32 products are rounded to tf32 if tensor cores "
            "make this faster") {}

  unsigned apply(IRRewriter &rewriter, func::FuncOp function,
                 const RelaxationUse &use) const override {
    SmallVector<std::pair<linalg::LinalgOp, FloatProduct>> products;
    function.walk([&](linalg::LinalgOp op) {
      std::optional<FloatProduct> product = matchFloatProduct(op);
      auto isF32 = [](BlockArgument factor) {
        return factor.getType().isF32();
      };
      if (product && llvm::all_of(product->factors, isF32) &&
          !pruner::multipliesTensorFloats(*op.getBlock()) &&
          profitsFromTensorFloats(op, use.machines))
        products.emplace_back(op, *product);
    });
    for (auto &[op, product] : products) {
      // Named ops have bodies of their own.
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        rewriter.setInsertionPoint(op);
        FailureOr<linalg::GenericOp> made =
            linalg::generalizeNamedOp(rewriter, op);
        if (failed(made))
          continue;
        generic = *made;
        product = *matchFloatProduct(generic);
      }
      for (BlockArgument factor : product.factors)
        roundFactor(rewriter, generic, factor);
    }
    return products.size();
  }
};
} // namespace

const Relaxation &pruner::tensorFloatProducts() {
  static const TensorFloatProducts relaxation;
  return relaxation;
}
