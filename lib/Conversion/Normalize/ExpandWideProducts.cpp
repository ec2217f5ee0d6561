//===- ExpandWideProducts.cpp - expand integer ops with two results -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_EXPANDWIDEPRODUCTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// Expands one op before it.
class Expander {
public:
  Expander(RewriterBase &rewriter, Operation *op)
      : rewriter(rewriter), loc(op->getLoc()),
        type(cast<IntegerType>(op->getOperand(0).getType())),
        a(op->getOperand(0)), b(op->getOperand(1)) {}

  /// {low half, high half} of a * b.
  std::pair<Value, Value> multiply(bool isSigned) {
    const unsigned width = type.getWidth();
    if (width > 32)
      return {make<arith::MulIOp>(a, b), highHalf(isSigned)};
    // The next type of twice the width that tasks support.
    auto wide = IntegerType::get(
        rewriter.getContext(),
        std::max<unsigned>(8, unsigned(llvm::PowerOf2Ceil(2 * width))));
    auto widen = [&](Value value) -> Value {
      if (isSigned)
        return arith::ExtSIOp::create(rewriter, loc, wide, value);
      return arith::ExtUIOp::create(rewriter, loc, wide, value);
    };
    Value product = make<arith::MulIOp>(widen(a), widen(b));
    Value shifted = make<arith::ShRUIOp>(product, number(wide, width));
    return {arith::TruncIOp::create(rewriter, loc, type, product),
            arith::TruncIOp::create(rewriter, loc, type, shifted)};
  }

  /// {a + b, whether the sum overflows}.
  std::pair<Value, Value> add() {
    Value sum = make<arith::AddIOp>(a, b);
    return {sum, arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult,
                                       sum, a)};
  }

private:
  template <typename Op> Value make(Value x, Value y) {
    return Op::create(rewriter, loc, x, y);
  }

  Value number(Type of, int64_t value) {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getIntegerAttr(of, value));
  }

  /// The high half of a product of 64 bits, from four products of 32 bits. A
  /// negative signed operand is 2^64 less than the same bits read as unsigned,
  /// so the other operand is subtracted from the high half.
  Value highHalf(bool isSigned) {
    const Value half = number(type, 32), mask = number(type, 0xFFFFFFFF);
    auto low = [&](Value x) { return make<arith::AndIOp>(x, mask); };
    auto high = [&](Value x) { return make<arith::ShRUIOp>(x, half); };
    auto add = [&](Value x, Value y) { return make<arith::AddIOp>(x, y); };
    auto times = [&](Value x, Value y) { return make<arith::MulIOp>(x, y); };
    Value mixed = add(times(high(a), low(b)), high(times(low(a), low(b))));
    Value other = add(times(low(a), high(b)), low(mixed));
    Value result = add(times(high(a), high(b)), add(high(mixed), high(other)));
    if (!isSigned)
      return result;
    auto ifNegative = [&](Value sign, Value value) {
      Value all = make<arith::ShRSIOp>(sign, number(type, 63));
      return make<arith::AndIOp>(all, value);
    };
    result = make<arith::SubIOp>(result, ifNegative(a, b));
    return make<arith::SubIOp>(result, ifNegative(b, a));
  }

  RewriterBase &rewriter;
  Location loc;
  IntegerType type;
  Value a, b;
};

struct ExpandWideProducts
    : pruner::impl::ExpandWideProductsPassBase<ExpandWideProducts> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (!isa<arith::MulSIExtendedOp, arith::MulUIExtendedOp,
               arith::AddUIExtendedOp>(op) ||
          !isa<linalg::LinalgOp>(op->getParentOp()))
        return;
      auto type = dyn_cast<IntegerType>(op->getOperand(0).getType());
      if (type && (type.getWidth() <= 32 || type.getWidth() == 64))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      Expander expander(rewriter, op);
      auto [first, second] =
          isa<arith::AddUIExtendedOp>(op)
              ? expander.add()
              : expander.multiply(isa<arith::MulSIExtendedOp>(op));
      rewriter.replaceOp(op, {first, second});
      ++numExpanded;
    }
  }
};
} // namespace
