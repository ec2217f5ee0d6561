//===- BrainFloatProducts.cpp - round factors of products to bf16 ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../FloatFactors.h"
#include "../InstructionProfit.h"
#include "Registry.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pruner;

/// Whether the factors of `op` are f32 or bf16, and not both bf16.
static bool hasFactorToRound(const FloatProduct &product) {
  auto isF32 = [](BlockArgument factor) { return factor.getType().isF32(); };
  auto isFit = [&](BlockArgument factor) {
    return isF32(factor) || factor.getType().isBF16();
  };
  return llvm::all_of(product.factors, isFit) &&
         llvm::any_of(product.factors, isF32);
}

namespace {
class BrainFloatProducts final : public Relaxation {
public:
  BrainFloatProducts()
      : Relaxation("bf16-products",
                   "factors of f32 products are rounded to bf16 if an "
                   "instruction makes this faster") {}

  unsigned apply(IRRewriter &rewriter, func::FuncOp function,
                 const RelaxationUse &use) const override {
    SmallVector<std::pair<linalg::LinalgOp, FloatProduct>> products;
    function.walk([&](linalg::LinalgOp op) {
      std::optional<FloatProduct> product = matchFloatProduct(op);
      if (product && hasFactorToRound(*product) &&
          profitsFromProducts(op, ElementType::BF16, use.machines))
        products.emplace_back(op, *product);
    });
    FactorConverter converter(rewriter, rewriter.getBF16Type(),
                              /*rounds=*/true);
    for (auto &[op, product] : products)
      for (BlockArgument factor : product.factors) {
        if (!factor.getType().isF32())
          continue;
        unsigned input = factor.getArgNumber();
        readFactor(rewriter, op, input,
                   converter.convert(op.getDpsInputOperand(input)->get()));
      }
    return products.size();
  }
};
} // namespace

const Relaxation &pruner::brainFloatProducts() {
  static const BrainFloatProducts relaxation;
  return relaxation;
}
