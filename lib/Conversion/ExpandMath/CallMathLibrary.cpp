//===- CallMathLibrary.cpp - functions of the C library -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arithmetic.h"

#include "pruner/Conversion/ExpandMath/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace pruner {
#define GEN_PASS_DEF_CALLMATHLIBRARYPASS
#include "pruner/Conversion/ExpandMath/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using pruner::math_expansion::hasKnownShape;

namespace {
/// Calls the C library's `long double` function and rounds. Applies to f64
/// functions whose `double` version can be wrong by more than one ulp. Handles
/// vectors lane by lane.
template <typename Op> struct CallLong : public OpRewritePattern<Op> {
  CallLong(MLIRContext *context, StringRef name)
      : OpRewritePattern<Op>(context), name(name) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!getElementTypeOrSelf(type).isF64() || !hasKnownShape(type))
      return rewriter.notifyMatchFailure(op, "not f64 of known shape");
    Location loc = op.getLoc();
    func::FuncOp function = declare(op, rewriter);
    auto call = [&](Value x) -> Value {
      x = arith::ExtFOp::create(rewriter, loc, rewriter.getF80Type(), x);
      Value y = func::CallOp::create(rewriter, loc, function, x).getResult(0);
      return arith::TruncFOp::create(rewriter, loc, rewriter.getF64Type(), y);
    };
    auto vector = dyn_cast<VectorType>(type);
    if (!vector) {
      rewriter.replaceOp(op, call(op.getOperand()));
      return success();
    }
    Value result = ub::PoisonOp::create(rewriter, loc, vector);
    SmallVector<int64_t> unit(vector.getRank(), 1);
    for (SmallVector<int64_t> lane :
         StaticTileOffsetRange(vector.getShape(), unit)) {
      Value x = vector::ExtractOp::create(rewriter, loc, op.getOperand(), lane);
      result = vector::InsertOp::create(rewriter, loc, call(x), result, lane);
    }
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  func::FuncOp declare(Op op, PatternRewriter &rewriter) const {
    auto module = op->template getParentOfType<ModuleOp>();
    if (auto known = module.template lookupSymbol<func::FuncOp>(name))
      return known;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    Type f80 = rewriter.getF80Type();
    auto function =
        func::FuncOp::create(rewriter, rewriter.getUnknownLoc(), name,
                             rewriter.getFunctionType(f80, f80));
    function.setPrivate();
    return function;
  }

  std::string name;
};

struct CallMathLibraryPass
    : public pruner::impl::CallMathLibraryPassBase<CallMathLibraryPass> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    WalkResult functions = getOperation()->walk([](Operation *op) {
      return isa_and_present<math::MathDialect>(op->getDialect())
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!functions.wasInterrupted())
      return;
    RewritePatternSet longs(context);
    longs.add<CallLong<math::SinhOp>>(context, "sinhl");
    longs.add<CallLong<math::CoshOp>>(context, "coshl");
    longs.add<CallLong<math::TanhOp>>(context, "tanhl");
    longs.add<CallLong<math::AsinhOp>>(context, "asinhl");
    longs.add<CallLong<math::AcoshOp>>(context, "acoshl");
    longs.add<CallLong<math::AtanhOp>>(context, "atanhl");
    longs.add<CallLong<math::Log10Op>>(context, "log10l");
    longs.add<CallLong<math::CbrtOp>>(context, "cbrtl");
    longs.add<CallLong<math::ErfcOp>>(context, "erfcl");
    if (failed(applyPatternsGreedily(getOperation(), std::move(longs))))
      return signalPassFailure();

    RewritePatternSet patterns(context);
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(*context);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    // Upstream's patterns treat a scalable vector as one of its minimum length.
    target.addDynamicallyLegalOp<math::AcosOp, math::AsinOp, math::AtanOp,
                                 math::Atan2Op, math::ErfOp, math::ExpM1Op,
                                 math::Log1pOp, math::TanOp>([](Operation *op) {
      return !hasKnownShape(op->getResult(0).getType());
    });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
