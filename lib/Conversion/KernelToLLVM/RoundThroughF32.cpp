//===- RoundThroughF32.cpp - convert to f16 and bf16 with one rounding ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/KernelToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace pruner {
#define GEN_PASS_DEF_ROUNDTHROUGHF32PASS
#include "pruner/Conversion/KernelToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

using Predicate = arith::CmpFPredicate;

static Type withElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

static bool isHalf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF16() || element.isBF16();
}

namespace {
/// Emits arithmetic on values of one shape.
struct Writer {
  Writer(PatternRewriter &rewriter, Location loc, Type like)
      : rewriter(rewriter), loc(loc), like(like) {}

  Type shaped(Type element) const { return withElement(like, element); }
  Type f64() const { return shaped(rewriter.getF64Type()); }
  Type integers(unsigned width) const {
    return shaped(rewriter.getIntegerType(width));
  }

  Value integer(unsigned width, int64_t value) const {
    TypedAttr number =
        rewriter.getIntegerAttr(rewriter.getIntegerType(width), value);
    if (auto type = dyn_cast<ShapedType>(integers(width)))
      number = DenseElementsAttr::get(type, Attribute(number));
    return create<arith::ConstantOp>(number);
  }
  Value abs(Value a) const { return create<math::AbsFOp>(a); }
  Value compare(Predicate predicate, Value a, Value b) const {
    return create<arith::CmpFOp>(predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) const {
    return create<arith::SelectOp>(condition, a, b);
  }
  Value bits(unsigned width, Value a) const {
    return create<arith::BitcastOp>(integers(width), a);
  }

  /// Rounds to odd. `bits` is a number rounded to nearest; if that was exact
  /// (or NaN) it is the result, otherwise the odd one of the two neighbors is.
  /// The bits increase with the magnitude.
  Value toOdd(unsigned width, Value bits, Value away, Value inexact) const {
    Value one = integer(width, 1);
    Value less = create<arith::SubIOp>(bits, one);
    Value towardsZero = select(away, less, bits);
    Value odd = create<arith::OrIOp>(towardsZero, one);
    return select(inexact, odd, bits);
  }

  /// An f64 as a number of `type`. First rounds to f32 to odd: an inexact
  /// result is the neighbor closer to zero with its last bit set. f32 has more
  /// than two bits beyond f16 and bf16, so that bit distinguishes ties, and the
  /// second rounding gives the result of a single rounding (Boldo, Melquiond:
  /// Emulation of FMA and correctly rounded sums, IEEE Trans. Computers 57 (4),
  /// 2008).
  Value round(Value x, Type type) const {
    Type single = shaped(rewriter.getF32Type());
    Value nearest = create<arith::TruncFOp>(single, x);
    Value back = create<arith::ExtFOp>(f64(), nearest);
    Value number = bits(32, nearest), size = abs(back), exact = abs(x);
    Value away = compare(Predicate::OGT, size, exact);
    Value inexact = compare(Predicate::ONE, back, x);
    Value odd = toOdd(32, number, away, inexact);
    return create<arith::TruncFOp>(type, create<arith::BitcastOp>(single, odd));
  }

  template <typename Op, typename... Args> Value create(Args &&...args) const {
    return Op::create(rewriter, loc, std::forward<Args>(args)...);
  }

  PatternRewriter &rewriter;
  Location loc;
  Type like;
};

struct RoundDoubles : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn().getType()).isF64() ||
        !isHalf(op.getType()) || op.getRoundingmodeAttr())
      return failure();
    Writer write(rewriter, op.getLoc(), op.getType());
    rewriter.replaceOp(op, write.round(op.getIn(), op.getType()));
    return success();
  }
};

/// Converts integers that f32 cannot represent. Integers of 64 bits become f64
/// numbers between the same two bf16 neighbors: for large ones, the last twelve
/// bits become one bit that states whether any of them was set.
template <typename Op> struct RoundIntegers : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Value x = op.getIn();
    unsigned width = getElementTypeOrSelf(x.getType()).getIntOrFloatBitWidth();
    if (!getElementTypeOrSelf(op.getType()).isBF16() || width <= 24 ||
        (width > 53 && width != 64))
      return failure();
    Writer write(rewriter, op.getLoc(), op.getType());
    if (width == 64) {
      auto integer = [&](int64_t value) { return write.integer(64, value); };
      Value zero = integer(0), bit = integer(0x800);
      Value rest = write.create<arith::AndIOp>(x, integer(0xfff));
      Value some =
          write.create<arith::CmpIOp>(arith::CmpIPredicate::ne, rest, zero);
      Value high = write.create<arith::SubIOp>(x, rest);
      Value sticky =
          write.create<arith::OrIOp>(high, write.select(some, bit, zero));
      // If |x| < 2^52, x is exact.
      Value size = x;
      int64_t limit = int64_t(1) << 52;
      if (std::is_same_v<Op, arith::SIToFPOp>) {
        size = write.create<arith::AddIOp>(x, integer(limit));
        limit *= 2;
      }
      Value small = write.create<arith::CmpIOp>(arith::CmpIPredicate::ult, size,
                                                integer(limit));
      x = write.select(small, x, sticky);
    }
    Value wide = write.create<Op>(write.f64(), x);
    rewriter.replaceOp(op, write.round(wide, op.getType()));
    return success();
  }
};

/// The product is exact in f64. The sum is rounded to odd according to its
/// error, which Knuth's two-sum computes exactly.
template <typename Op> struct RoundFma : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op->getResult(0).getType();
    if (!isHalf(type))
      return failure();
    Writer write(rewriter, op.getLoc(), type);
    SmallVector<Value> wide;
    for (Value operand : op->getOperands())
      wide.push_back(write.create<arith::ExtFOp>(write.f64(), operand));
    auto sub = [&](Value a, Value b) -> Value {
      return write.create<arith::SubFOp>(a, b);
    };
    Value product = write.create<arith::MulFOp>(wide[0], wide[1]);
    Value sum = write.create<arith::AddFOp>(product, wide[2]);
    Value addend = sub(sum, product), rest = sub(sum, addend);
    Value lostOfProduct = sub(product, rest), lost = sub(wide[2], addend);
    Value error = write.create<arith::AddFOp>(lostOfProduct, lost);
    Value none = write.integer(64, 0);
    Value zero = write.create<arith::BitcastOp>(write.f64(), none);
    // Too far from zero if the error has the opposite sign.
    Value number = write.bits(64, sum), direction = write.bits(64, error);
    Value signs = write.create<arith::XOrIOp>(number, direction);
    Value away =
        write.create<arith::CmpIOp>(arith::CmpIPredicate::slt, signs, none);
    Value inexact = write.compare(Predicate::ONE, error, zero);
    Value odd = write.toOdd(64, number, away, inexact);
    rewriter.replaceOp(
        op,
        write.round(write.create<arith::BitcastOp>(write.f64(), odd), type));
    return success();
  }
};

/// Rounds to tf32 in the bits of f32. No type of LLVM has its size, so the two
/// conversions are one operation.
struct RoundToTensorFloat : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    auto rounding = op.getIn().getDefiningOp<arith::TruncFOp>();
    if (!rounding || !getElementTypeOrSelf(rounding.getType()).isTF32() ||
        rounding.getIn().getType() != op.getType() ||
        !getElementTypeOrSelf(op.getType()).isF32() ||
        rounding.getRoundingmode() != arith::RoundingMode::to_nearest_away)
      return failure();
    Writer write(rewriter, op.getLoc(), op.getType());
    Value x = rounding.getIn();
    // The bits increase with the magnitude, and infinity has none to lose.
    Value sum = write.create<arith::AddIOp>(write.bits(32, x),
                                            write.integer(32, 0x1000));
    sum = write.create<arith::AndIOp>(sum, write.integer(32, -0x2000));
    Value rounded = write.create<arith::BitcastOp>(op.getType(), sum);
    Value isNaN = write.compare(Predicate::UNO, x, x);
    rewriter.replaceOp(op, write.select(isNaN, x, rounded));
    if (rounding->use_empty())
      rewriter.eraseOp(rounding);
    return success();
  }
};

struct RoundThroughF32Pass
    : public pruner::impl::RoundThroughF32PassBase<RoundThroughF32Pass> {
  using RoundThroughF32PassBase::RoundThroughF32PassBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RoundIntegers<arith::SIToFPOp>, RoundIntegers<arith::UIToFPOp>,
                 RoundToTensorFloat>(&getContext());
    if (!onlyIntegers)
      patterns
          .add<RoundDoubles, RoundFma<math::FmaOp>, RoundFma<vector::FMAOp>>(
              &getContext());
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};
} // namespace
