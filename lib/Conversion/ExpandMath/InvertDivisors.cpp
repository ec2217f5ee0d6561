//===- InvertDivisors.cpp - divide many numbers by one --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/ExpandMath/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>

namespace pruner {
#define GEN_PASS_DEF_INVERTDIVISORSPASS
#include "pruner/Conversion/ExpandMath/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
/// 1 / divisor = (high + low) * scale, with normal numbers high and low. `high`
/// is rounded toward zero, so that `low` has the same sign and an infinite
/// dividend stays infinite. A null scale means one.
struct Inverse {
  Value high, low, scale;
};
} // namespace

static Value constant(OpBuilder &builder, Location loc, float value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getF32FloatAttr(value));
}

/// The inverse of a constant. None if its reciprocal is exact, which LLVM
/// already exploits, or so large or small that one part might be denormal.
static std::optional<Inverse> invertConstant(OpBuilder &builder, Location loc,
                                             const APFloat &divisor) {
  double value = divisor.convertToDouble(), size = std::fabs(value);
  int exponent;
  if (!(size > 0x1p-60 && size < 0x1p60) || std::frexp(size, &exponent) == 0.5)
    return std::nullopt;
  double whole = 1 / value;
  float high = static_cast<float>(whole);
  if (std::fabs(high) > std::fabs(whole))
    high = std::nextafterf(high, 0.0f);
  return Inverse{constant(builder, loc, high),
                 constant(builder, loc, static_cast<float>(whole - high)),
                 {}};
}

/// The inverse of any divisor, including zero, infinite, denormal and NaN.
/// Divisors beyond 2^64 are scaled by 2^-40 and those below 2^-64 by 2^32, and
/// so are the dividends. The inverse of the scaled divisor m then has normal
/// parts. If a dividend overflows by 2^32, the quotient also overflows; if it
/// loses bits by 2^-40, the quotient loses 24 more. The second part comes from
/// 1 - m * high, which a fused multiply-add computes exactly.
static Inverse invert(OpBuilder &builder, Location loc, Value divisor) {
  auto toBits = [&](Value value) -> Value {
    return arith::BitcastOp::create(builder, loc, builder.getI32Type(), value);
  };
  auto less = [&](Value a, Value b) -> Value {
    return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, a, b);
  };
  auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(builder, loc, condition, yes, no);
  };
  Value one = constant(builder, loc, 1);
  auto restOf = [&](Value inverse, Value m) -> Value {
    Value negative = arith::NegFOp::create(builder, loc, inverse);
    return math::FmaOp::create(builder, loc, negative, m, one);
  };

  Value size = math::AbsFOp::create(builder, loc, divisor);
  Value scale = select(less(size, constant(builder, loc, 0x1p-64f)),
                       constant(builder, loc, 0x1p32f), one);
  scale = select(less(constant(builder, loc, 0x1p64f), size),
                 constant(builder, loc, 0x1p-40f), scale);
  Value m = arith::MulFOp::create(builder, loc, divisor, scale);
  Value nearest = arith::DivFOp::create(builder, loc, one, m);
  Value above = less(restOf(nearest, m), constant(builder, loc, 0));
  Value bits = arith::SubIOp::create(
      builder, loc, toBits(nearest),
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1)));
  Value smaller =
      arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
  Value high = select(above, smaller, nearest);
  // Never zero, because zero times infinity is NaN; too small to change a
  // quotient.
  Value least = constant(builder, loc, 0x1p-60f), rest = restOf(high, m);
  rest = select(less(least, rest), rest, least);
  return {high, arith::MulFOp::create(builder, loc, rest, high), scale};
}

/// True if `value` is the same in every iteration of `loop`, assuming that the
/// loop does not write to memory that it loads. Predicts what LLVM can hoist.
static bool isLoopInvariant(Value value, scf::ForOp loop) {
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 ||
      !(isMemoryEffectFree(op) || isa<memref::LoadOp>(op)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return isLoopInvariant(operand, loop);
  });
}

/// The quotient of `op` by multiplications, or null.
static Value divide(OpBuilder &builder, arith::DivFOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  if (!type || type.isScalable() || !type.getElementType().isF32())
    return {};
  Location loc = op.getLoc();
  Value divisor = op.getRhs();
  auto broadcast = divisor.getDefiningOp<vector::BroadcastOp>();
  if (broadcast)
    divisor = broadcast.getSource();
  std::optional<Inverse> inverse;
  APFloat known(0.0f);
  if (matchPattern(divisor, m_ConstantFloat(&known))) {
    inverse = invertConstant(builder, loc, known);
  } else if (auto loop = op->getParentOfType<scf::ForOp>();
             loop && divisor.getType().isF32() &&
             isLoopInvariant(divisor, loop)) {
    builder.setInsertionPointAfter(broadcast);
    inverse = invert(builder, loc, divisor);
    builder.setInsertionPoint(op);
  }
  if (!inverse)
    return {};
  auto lanes = [&](Value scalar) -> Value {
    return vector::BroadcastOp::create(builder, loc, type, scalar);
  };
  Value dividend = op.getLhs();
  if (inverse->scale)
    dividend =
        arith::MulFOp::create(builder, loc, dividend, lanes(inverse->scale));
  Value small =
      arith::MulFOp::create(builder, loc, dividend, lanes(inverse->low));
  return math::FmaOp::create(builder, loc, dividend, lanes(inverse->high),
                             small);
}

namespace {
struct InvertDivisorsPass
    : public pruner::impl::InvertDivisorsPassBase<InvertDivisorsPass> {
  void runOnOperation() override {
    SmallVector<arith::DivFOp> divisions;
    getOperation()->walk([&](arith::DivFOp op) { divisions.push_back(op); });
    for (arith::DivFOp op : divisions) {
      OpBuilder builder(op);
      Value quotient = divide(builder, op);
      if (!quotient)
        continue;
      op.replaceAllUsesWith(quotient);
      op.erase();
      ++numInverted;
    }
  }
};
} // namespace
