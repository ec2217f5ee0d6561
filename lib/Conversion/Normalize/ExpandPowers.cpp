//===- ExpandPowers.cpp - expand small integer powers ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_EXPANDPOWERSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

/// base^exponent by squaring, with the products in the order of the compiler
/// runtime's loop: each result is a factor of the next product.
static Value power(IRRewriter &rewriter, Location loc, Value base,
                   uint64_t exponent) {
  Value result, factor = base;
  while (true) {
    if (exponent & 1)
      result =
          result
              ? arith::MulFOp::create(rewriter, loc, result, factor).getResult()
              : factor;
    exponent >>= 1;
    if (exponent == 0)
      return result;
    factor = arith::MulFOp::create(rewriter, loc, factor, factor);
  }
}

namespace {
struct ExpandPowers : pruner::impl::ExpandPowersPassBase<ExpandPowers> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<math::FPowIOp> powers;
    getOperation().walk([&](math::FPowIOp op) { powers.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (math::FPowIOp op : powers) {
      APInt exponent;
      if (!isa<FloatType>(op.getType()) ||
          !matchPattern(op.getRhs(), m_ConstantInt(&exponent)) ||
          !exponent.isStrictlyPositive() || exponent.sgt(8))
        continue;
      rewriter.setInsertionPoint(op);
      // Each product is rounded. In f16 and bf16 the cube would differ from the
      // one that is computed in f32 and rounded once.
      bool isNarrow = op.getType().getIntOrFloatBitWidth() < 32;
      if (exponent.sgt(isNarrow ? 2 : 3)) {
        Value real = arith::ConstantOp::create(
            rewriter, op.getLoc(),
            rewriter.getFloatAttr(op.getType(), exponent.getSExtValue()));
        rewriter.replaceOpWithNewOp<math::PowFOp>(op, op.getLhs(), real);
      } else {
        rewriter.replaceOp(op, power(rewriter, op.getLoc(), op.getLhs(),
                                     exponent.getZExtValue()));
      }
      ++numExpanded;
    }
  }
};
} // namespace
