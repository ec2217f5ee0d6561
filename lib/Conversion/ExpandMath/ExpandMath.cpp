//===- ExpandMath.cpp - math functions as arithmetic ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Functions.h"

#include "pruner/Conversion/ExpandMath/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace pruner {
#define GEN_PASS_DEF_EXPANDMATHPASS
#include "pruner/Conversion/ExpandMath/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner::math_expansion;

/// True for f32 scalars and f32 vectors with a known number of lanes.
static bool isExpandable(Type type) {
  return getElementTypeOrSelf(type).isF32() && hasKnownShape(type);
}

namespace {
/// Expands a function of one or two operands of one type by `Function`.
template <typename Op, auto Function>
struct Expand : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "not f32 of known shape");
    Arithmetic arith(rewriter, op.getLoc(), op.getType());
    if constexpr (Op::template hasTrait<OpTrait::OneOperand>())
      rewriter.replaceOp(op, Function(arith, op->getOperand(0)));
    else
      rewriter.replaceOp(op,
                         Function(arith, op->getOperand(0), op->getOperand(1)));
    return success();
  }
};

/// The same for a function with a branch. `Function` needs one-dimensional
/// vectors, so vectors of more dimensions are expanded row by row.
template <typename Op, auto Function>
struct ExpandRows : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    if (!isExpandable(op.getType()))
      return rewriter.notifyMatchFailure(op, "not f32 of known shape");
    Location loc = op.getLoc();
    auto expand = [&](Value x) {
      Arithmetic arith(rewriter, loc, x.getType());
      return Function(arith, x);
    };
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || type.getRank() == 1) {
      rewriter.replaceOp(op, expand(op->getOperand(0)));
      return success();
    }
    Value result = ub::PoisonOp::create(rewriter, loc, type);
    SmallVector<int64_t> unit(std::max<int64_t>(type.getRank(), 1) - 1, 1);
    SmallVector<int64_t> shape(type.getShape().drop_back(type.getRank() != 0));
    for (SmallVector<int64_t> row : StaticTileOffsetRange(shape, unit)) {
      Value x =
          vector::ExtractOp::create(rewriter, loc, op->getOperand(0), row);
      result = vector::InsertOp::create(rewriter, loc, expand(x), result, row);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Splits sincos into sine and cosine; LLVM merges the common parts.
struct SplitSinCos : public OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(math::SincosOp op,
                                PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value sine = math::SinOp::create(rewriter, loc, op.getOperand());
    Value cosine = math::CosOp::create(rewriter, loc, op.getOperand());
    rewriter.replaceOp(op, {sine, cosine});
    return success();
  }
};
} // namespace

/// Compares the magnitude of a number, of any type, with `limit`.
static Value compareMagnitude(OpBuilder &builder, Location loc,
                              arith::CmpFPredicate predicate, Value number,
                              const APFloat &limit) {
  Type type = number.getType();
  TypedAttr value = FloatAttr::get(getElementTypeOrSelf(type), limit);
  if (auto vector = dyn_cast<VectorType>(type))
    value = DenseElementsAttr::get(vector, value);
  return arith::CmpFOp::create(builder, loc, predicate,
                               math::AbsFOp::create(builder, loc, number),
                               arith::ConstantOp::create(builder, loc, value));
}

static Value isInfinite(OpBuilder &builder, Location loc, Value number,
                        const llvm::fltSemantics &semantics) {
  return compareMagnitude(builder, loc, arith::CmpFPredicate::OEQ, number,
                          APFloat::getInf(semantics));
}

static Value isNormal(OpBuilder &builder, Location loc, Value number,
                      const llvm::fltSemantics &semantics) {
  Value large =
      compareMagnitude(builder, loc, arith::CmpFPredicate::OGE, number,
                       APFloat::getSmallestNormalized(semantics));
  Value finite = compareMagnitude(builder, loc, arith::CmpFPredicate::OLT,
                                  number, APFloat::getInf(semantics));
  return arith::AndIOp::create(builder, loc, large, finite);
}

namespace {
/// The conversion to LLVM supports only isnan and isfinite.
template <typename Op, Value (*Test)(OpBuilder &, Location, Value,
                                     const llvm::fltSemantics &)>
struct ExpandTest : public OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getOperand().getType();
    if (!hasKnownShape(type))
      return rewriter.notifyMatchFailure(op, "not of known shape");
    auto element = cast<FloatType>(getElementTypeOrSelf(type));
    rewriter.replaceOp(op, Test(rewriter, op.getLoc(), op.getOperand(),
                                element.getFloatSemantics()));
    return success();
  }
};
} // namespace

static void addFunctions(RewritePatternSet &patterns) {
  patterns.add<
      Expand<math::ExpOp, expandExp>, Expand<math::Exp2Op, expandExp2>,
      Expand<math::ExpM1Op, expandExpM1>, Expand<math::LogOp, expandLog>,
      Expand<math::Log2Op, expandLog2>, Expand<math::Log10Op, expandLog10>,
      Expand<math::Log1pOp, expandLog1p>, Expand<math::AsinOp, expandAsin>,
      Expand<math::AcosOp, expandAcos>, Expand<math::AtanOp, expandAtan>,
      Expand<math::Atan2Op, expandAtan2>, Expand<math::SinhOp, expandSinh>,
      Expand<math::CoshOp, expandCosh>, Expand<math::TanhOp, expandTanh>,
      Expand<math::AsinhOp, expandAsinh>, Expand<math::AcoshOp, expandAcosh>,
      Expand<math::AtanhOp, expandAtanh>, Expand<math::ErfOp, expandErf>,
      Expand<math::ErfcOp, expandErfc>, Expand<math::CbrtOp, expandCbrt>>(
      patterns.getContext());
  patterns.add<ExpandRows<math::SinOp, expandSin>,
               ExpandRows<math::CosOp, expandCos>,
               ExpandRows<math::TanOp, expandTan>, SplitSinCos,
               ExpandTest<math::IsInfOp, isInfinite>,
               ExpandTest<math::IsNormalOp, isNormal>>(patterns.getContext());
}

/// True if a pattern of the pass may apply to `op`. A greedy rewrite visits
/// every operation, and kernels have few of these, if any.
static bool mayBeExpanded(Operation *op) {
  return isa_and_present<math::MathDialect>(op->getDialect()) ||
         isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op);
}

namespace {
struct ExpandMathPass
    : public pruner::impl::ExpandMathPassBase<ExpandMathPass> {
  using ExpandMathPassBase::ExpandMathPassBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (mayBeExpanded(op))
        ops.push_back(op);
    });
    if (ops.empty())
      return;
    RewritePatternSet patterns(&getContext());
    populateMathF32ExpansionPatterns(patterns, [](StringRef) { return true; });
    addFunctions(patterns);
    populatePowerPatterns(patterns);
    math::populateExpansionPatterns(patterns, {"ipowi", "clampf"});
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
