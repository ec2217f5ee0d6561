//===- MathFunctions.cpp - functions as polynomials -----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The polynomials are minimax fits (Remez exchange) of this project, rounded to
// f32; the rational function of tanh is upstream's, which is Eigen's.
//
//===----------------------------------------------------------------------===//

#include "MathFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace {
/// Writes arithmetic on f32 values of one shape.
class Arithmetic {
public:
  Arithmetic(OpBuilder &builder, Location loc, Type type)
      : builder(builder), loc(loc), type(type) {
    bitsType = builder.getI32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      bitsType = vector.clone(bitsType);
  }

  Value constant(float value) {
    return splat(type, builder.getF32FloatAttr(value));
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  /// a * b + c, rounded once.
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, loc, a, b, c);
  }

  /// `x` between the limits; NaN stays NaN. The comparisons are the ones that
  /// x86 has one instruction for together with the selection.
  Value clamp(Value x, float least, float most) {
    Value low = constant(least), high = constant(most);
    Value below = compare(arith::CmpFPredicate::OGT, low, x);
    x = arith::SelectOp::create(builder, loc, below, low, x);
    Value above = compare(arith::CmpFPredicate::OLT, high, x);
    return arith::SelectOp::create(builder, loc, above, high, x);
  }

  /// `rest` continued by coefficients of ever lower powers of `x`.
  Value horner(Value rest, Value x, ArrayRef<float> coefficients) {
    for (float coefficient : coefficients)
      rest = fma(rest, x, constant(coefficient));
    return rest;
  }
  /// The polynomial with these coefficients, that of the highest power first.
  Value polynomial(Value x, ArrayRef<float> coefficients) {
    return horner(constant(coefficients.front()), x, coefficients.drop_front());
  }

  /// The float whose bits are those of `x`, moved `count` places up.
  Value shiftBits(Value x, int32_t count) {
    Value bits = arith::BitcastOp::create(builder, loc, bitsType, x);
    Value places = splat(bitsType, builder.getI32IntegerAttr(count));
    Value moved = arith::ShLIOp::create(builder, loc, bits, places);
    return arith::BitcastOp::create(builder, loc, type, moved);
  }

private:
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value splat(Type of, TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(of))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(builder, loc, value);
  }

  OpBuilder &builder;
  Location loc;
  Type type, bitsType;
};
} // namespace

/// Added to |x| < 2^22, rounds x to an integer n: the sum's lowest bits are
/// n + 126, the exponent field of 2^(n - 1). For n of -126 the field is that of
/// zero, for 128 that of the largest power of two.
constexpr float kRound = 12582912.0f + 126.0f;

/// 2^n p / 2, where `rounded` is n + kRound. p is twice what it would have to
/// be, so that n may be 128 and results up to the largest float are reached.
static Value scale(Arithmetic &arith, Value p, Value rounded) {
  return arith.mul(p, arith.shiftBits(rounded, 23));
}

/// exp(x) = 2^n exp(r) with n = round(x / ln 2) and r = x - n ln 2, |r| <= ln 2
/// / 2. Relative error of the fit: 3.1e-9. Beyond the limits of the clamp the
/// result is zero and infinity.
static Value expandExp(Arithmetic &arith, Value x) {
  x = arith.clamp(x, -87.3f, 88.8f);
  Value rounded =
      arith.fma(x, arith.constant(1.44269504f), arith.constant(kRound));
  Value n = arith.sub(rounded, arith.constant(kRound));
  // ln 2 in two parts, the first short enough for n ln 2 to be exact.
  Value r = arith.fma(n, arith.constant(-0.693359375f), x);
  r = arith.fma(n, arith.constant(2.12194440e-4f), r);
  Value p = arith.polynomial(r, {2.76290835e-3f, 1.67374909e-2f, 8.3336778e-2f,
                                 3.33330423e-1f, 9.99999881e-1f, 2, 2});
  return scale(arith, p, rounded);
}

/// The same for 2^x, with r = x - n. Relative error of the fit: 2.0e-9.
static Value expandExp2(Arithmetic &arith, Value x) {
  x = arith.clamp(x, -126, 128);
  Value rounded = arith.add(x, arith.constant(kRound));
  Value n = arith.sub(rounded, arith.constant(kRound));
  Value p = arith.polynomial(arith.sub(x, n),
                             {3.07067181e-4f, 2.67977733e-3f, 1.92368757e-2f,
                              1.11006647e-1f, 4.80452955e-1f, 1.38629436f, 2});
  return scale(arith, p, rounded);
}

/// erf(x) = x P(x^2 - s), up to where erf is 1 - 1.6e-7 and this exactly 1; s
/// in the middle of the range keeps the coefficients in proportion. |P - erf(x)
/// / x| (|x| + 0.3) <= 3.8e-8. The higher powers are two sums next to each
/// other, for a shorter chain of dependences; the lower ones, on which the
/// rounding depends, one after the other. No division: CPUs with long vectors
/// and GPUs need more time for one than for the whole polynomial.
static Value expandErf(Arithmetic &arith, Value x) {
  x = arith.clamp(x, -3.70624232f, 3.70624232f);
  Value u = arith.fma(x, x, arith.constant(-6.845272f));
  Value square = arith.mul(u, u);
  Value even =
      arith.polynomial(square, {1.3595026e-15f, 1.6171084e-13f, 3.5750288e-11f,
                                4.8409072e-9f, 5.060632e-7f, 4.1233823e-5f});
  Value odd = arith.polynomial(square, {-2.4638398e-14f, -1.8174739e-12f,
                                        -4.5788145e-10f, -5.0667165e-8f,
                                        -4.695611e-6f});
  Value p = arith.horner(
      arith.fma(odd, u, even), u,
      {-3.5113996e-4f, 3.0046783e-3f, -2.7824253e-2f, 3.821299e-1f});
  return arith.mul(x, p);
}

/// tanh(x) = x P(x^2) / Q(x^2), up to where it rounds to 1. Both polynomials
/// are 256 times those of the source: small x lose nothing.
static Value expandTanh(Arithmetic &arith, Value x) {
  x = arith.clamp(x, -7.99881172f, 7.99881172f);
  auto scaled = [](float value) { return value * 256; };
  Value square = arith.mul(x, x);
  Value p = arith.polynomial(
      square, {scaled(-2.76076847742355e-16f), scaled(2.00018790482477e-13f),
               scaled(-8.60467152213735e-11f), scaled(5.12229709037114e-08f),
               scaled(1.48572235717979e-05f), scaled(6.37261928875436e-04f),
               scaled(4.89352455891786e-03f)});
  Value q = arith.polynomial(
      square, {scaled(1.19825839466702e-06f), scaled(1.18534705686654e-04f),
               scaled(2.26843463243900e-03f), scaled(4.89352518554385e-03f)});
  return arith.div(arith.mul(x, p), q);
}

namespace {
template <typename Op> struct Expand : public OpRewritePattern<Op> {
  using Function = Value (*)(Arithmetic &, Value);
  Expand(MLIRContext *context, Function function)
      : OpRewritePattern<Op>(context), function(function) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    auto vector = dyn_cast<VectorType>(type);
    if (!getElementTypeOrSelf(type).isF32() || (vector && vector.isScalable()))
      return rewriter.notifyMatchFailure(op, "not f32 of known shape");
    Arithmetic arith(rewriter, op.getLoc(), type);
    rewriter.replaceOp(op, function(arith, op.getOperand()));
    return success();
  }

  Function function;
};
} // namespace

void pruner::populateMathFunctionPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<Expand<math::ExpOp>>(context, expandExp);
  patterns.add<Expand<math::Exp2Op>>(context, expandExp2);
  patterns.add<Expand<math::ErfOp>>(context, expandErf);
  patterns.add<Expand<math::TanhOp>>(context, expandTanh);
}
