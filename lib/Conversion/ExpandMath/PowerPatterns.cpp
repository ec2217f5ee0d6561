//===- PowerPatterns.cpp - powers by their exponents ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace pruner::math_expansion;

/// base^exponent by squaring, exponent > 0.
static Value product(const Arithmetic &arith, Value base, unsigned exponent) {
  Value result;
  for (;; base = arith.mul(base, base)) {
    if (exponent & 1)
      result = result ? arith.mul(result, base) : base;
    exponent >>= 1;
    if (exponent == 0)
      return result;
  }
}

/// x^n for 1 <= |n| <= 8, or null. Up to the third power the rounding errors of
/// f32 add up to less than 3/2 ulp. Higher powers and inverses are f64
/// products. The range of f64 holds all powers of f32, so products neither
/// overflow nor become denormal unless the result does. For f64 operands this
/// is true only of the square and the inverse.
static Value smallPower(const Arithmetic &arith, Value x, int64_t n) {
  bool isDouble = getElementTypeOrSelf(arith.type()).isF64();
  int64_t size = std::abs(n);
  if (size < 1 || size > 8 || (isDouble && n != 1 && n != 2 && n != -1))
    return {};
  if (n == -1)
    return arith.div(arith.constant(1), x);
  if (n >= 1 && n <= (isDouble ? 2 : 3))
    return product(arith, x, n);
  Arithmetic wide = arith.wide();
  Value power = product(wide, arith.widen(x), size);
  if (n < 0)
    power = wide.div(wide.constant(1), power);
  return arith.narrow(power);
}

/// x^(1/2) and x^(-1/2). Unlike roots they are not NaN for -infinity, and they
/// treat -0 as +0.
static Value rootPower(Arithmetic &arith, Value x, bool inverse) {
  Value positive = arith.add(x, arith.constant(0));
  Value root = inverse ? expandRsqrt(arith, positive) : arith.sqrt(positive);
  Value lowest = arith.equal(x, arith.neg(arith.infinity()));
  Value limit = inverse ? arith.constant(0) : arith.infinity();
  return arith.select(lowest, limit, root);
}

namespace {
struct ExpandPowF : public OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!(element.isF32() || element.isF64()) || !hasKnownShape(op.getType()))
      return rewriter.notifyMatchFailure(op, "not f32 or f64 of known shape");
    Arithmetic arith(rewriter, op.getLoc(), op.getType());
    Value result;
    APFloat known(0.0);
    if (matchPattern(op.getRhs(), m_ConstantFloat(&known))) {
      double exponent = known.convertToDouble();
      if (std::fabs(exponent) == 0.5)
        result = rootPower(arith, op.getLhs(), exponent < 0);
      else if (std::fabs(exponent) <= 8 && exponent == std::floor(exponent))
        result = smallPower(arith, op.getLhs(), std::lround(exponent));
    }
    if (!result && element.isF32())
      result = expandPow(arith, op.getLhs(), op.getRhs());
    if (!result)
      return rewriter.notifyMatchFailure(op, "left to the C library");
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ExpandPowI : public OpRewritePattern<math::FPowIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::FPowIOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    Location loc = op.getLoc();
    if (!hasKnownShape(op.getType()))
      return rewriter.notifyMatchFailure(op, "not of known shape");
    if (element.isF16() || element.isBF16()) {
      Type type = rewriter.getF32Type();
      if (auto vector = dyn_cast<VectorType>(op.getType()))
        type = vector.clone(type);
      Value x = arith::ExtFOp::create(rewriter, loc, type, op.getLhs());
      Value power = math::FPowIOp::create(rewriter, loc, x, op.getRhs());
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), power);
      return success();
    }
    if (!element.isF32() && !element.isF64())
      return rewriter.notifyMatchFailure(op, "no float to expand");
    Arithmetic arith(rewriter, loc, op.getType());
    Value result;
    APInt known;
    if (matchPattern(op.getRhs(), m_ConstantInt(&known)) &&
        known.isSignedIntN(8)) {
      int64_t exponent = known.getSExtValue();
      result = exponent == 0 ? arith.constant(1)
                             : smallPower(arith, op.getLhs(), exponent);
    }
    if (!result && element.isF32())
      result = expandPowInt(arith, op.getLhs(), op.getRhs());
    if (!result) {
      // f64 represents every exponent that can change the result.
      Value exponent =
          arith::SIToFPOp::create(rewriter, loc, op.getType(), op.getRhs());
      result = math::PowFOp::create(rewriter, loc, op.getLhs(), exponent);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ExpandRsqrt : public OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::RsqrtOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!(element.isF32() || element.isF64()) || !hasKnownShape(op.getType()))
      return rewriter.notifyMatchFailure(op, "not f32 or f64 of known shape");
    Arithmetic arith(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, expandRsqrt(arith, op.getOperand()));
    return success();
  }
};
} // namespace

void pruner::math_expansion::populatePowerPatterns(
    RewritePatternSet &patterns) {
  patterns.add<ExpandPowF, ExpandPowI, ExpandRsqrt>(patterns.getContext());
}
