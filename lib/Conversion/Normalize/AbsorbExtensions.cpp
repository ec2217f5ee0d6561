//===- AbsorbExtensions.cpp - products of narrow numbers ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FloatFactors.h"
#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_ABSORBEXTENSIONSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// The type of the numbers of an input of a product: that of its elements, or a
/// narrower one.
static FloatType typeOfFactor(linalg::LinalgOp op, BlockArgument element) {
  if (!element.getType().isF32())
    return cast<FloatType>(element.getType());
  Value input = op.getDpsInputOperand(element.getArgNumber())->get();
  FloatType type = pruner::typeOfNumbers(input);
  return type ? type : cast<FloatType>(element.getType());
}

namespace {
struct AbsorbExtensions
    : pruner::impl::AbsorbExtensionsPassBase<AbsorbExtensions> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    unsigned absorbed = 0;
    for (linalg::LinalgOp op : ops)
      absorbed += absorb(rewriter, op);
    numAbsorbed += absorbed;
    // Views without readers would count as readers of their source.
    if (absorbed != 0)
      (void)runRegionDCE(rewriter, getOperation()->getRegions());
  }

  static bool absorb(IRRewriter &rewriter, linalg::LinalgOp op) {
    std::optional<pruner::FloatProduct> product = pruner::matchFloatProduct(op);
    if (!product)
      return false;
    auto [x, y] = product->factors;
    FloatType type = typeOfFactor(op, x);
    if (type.isF32() || typeOfFactor(op, y) != type ||
        (!x.getType().isF32() && !y.getType().isF32()))
      return false;
    pruner::FactorConverter converter(rewriter, type, /*rounds=*/false);
    for (BlockArgument element : product->factors)
      if (element.getType().isF32()) {
        unsigned input = element.getArgNumber();
        pruner::readFactor(
            rewriter, op, input,
            converter.convert(op.getDpsInputOperand(input)->get()));
      }
    return true;
  }
};
} // namespace
