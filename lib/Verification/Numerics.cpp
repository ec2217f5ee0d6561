//===- Numerics.cpp - static analysis of a task's arithmetic --------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Verification/Numerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

using namespace mlir;
using namespace pruner;

namespace {
/// All elements of a value are multiples of 2^-fraction and at most `magnitude`
/// in absolute value.
struct Bound {
  double magnitude = 0;
  int fraction = 0;
};
} // namespace

constexpr double unbounded = INFINITY;

static Bound join(const Bound &a, const Bound &b) {
  return {std::max(a.magnitude, b.magnitude), std::max(a.fraction, b.fraction)};
}

static bool isAddLike(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::AddIOp, arith::SubIOp>(op);
}
static bool isMulLike(Operation *op) {
  return isa<arith::MulFOp, arith::MulIOp>(op);
}
/// Operations whose result is one of their operands, possibly with another sign
/// or converted.
static bool isSelectLike(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp, arith::NegFOp,
             math::AbsFOp, math::AbsIOp, arith::ExtFOp, arith::TruncFOp,
             arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp, arith::UIToFPOp,
             linalg::YieldOp>(op);
}

namespace {
class Analysis {
public:
  Analysis(const TaskProgram &task, InputRange range)
      : task(task), range(range) {}

  TaskNumerics run() {
    numerics.exact = true;
    numerics.range = range;
    func::FuncOp func;
    for (auto candidate : task.module().getOps<func::FuncOp>())
      if (candidate.getName() == task.entry())
        func = candidate;
    for (BlockArgument argument : func.getArguments())
      bounds[argument] = {double(std::max(range.magnitude, range.indexBelow)),
                          0};
    for (Operation &op : func.front().without_terminator())
      visit(&op);
    return numerics;
  }

private:
  void inexact(Operation *op, StringRef why) {
    if (numerics.exact)
      numerics.inexactBecause = (op->getName().getStringRef() + why).str();
    numerics.exact = false;
  }

  /// Records `bound` for `value` and checks that its type holds it.
  void set(Operation *op, Value value, Bound bound) {
    bounds[value] = bound;
    auto type = elementTypeOf(getElementTypeOrSelf(value.getType()));
    if (!type || !isFloat(*type))
      return;
    // Infinity is exact, too: it is the neutral element of a maximum.
    if (!(std::ldexp(bound.magnitude, bound.fraction) <=
          std::ldexp(1.0, precisionBits(*type))))
      inexact(op, (llvm::Twine(": values up to ") +
                   std::to_string(bound.magnitude) + " with " +
                   llvm::Twine(bound.fraction) +
                   " fraction bits do not fit its type")
                      .str());
  }

  static Bound constantBound(const APFloat &value) {
    bool ignored;
    APFloat wide = value;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &ignored);
    double magnitude = std::fabs(wide.convertToDouble());
    // The initial value of a maximum, which is never added.
    if (!std::isfinite(magnitude) || magnitude >= 1e4 * 0x1p14)
      return {0, 0};
    int fraction = 0;
    while (fraction < 1100 && std::ldexp(magnitude, fraction) !=
                                  std::floor(std::ldexp(magnitude, fraction)))
      ++fraction;
    return {magnitude, fraction};
  }

  Bound attributeBound(Attribute attribute) {
    if (auto value = dyn_cast<FloatAttr>(attribute))
      return constantBound(value.getValue());
    if (auto value = dyn_cast<IntegerAttr>(attribute))
      return {std::fabs(double(value.getValue().getSExtValue())), 0};
    if (auto dense = dyn_cast<DenseElementsAttr>(attribute)) {
      if (dense.isSplat())
        return attributeBound(dense.getSplatValue<Attribute>());
      Bound bound;
      if (isa<FloatType>(dense.getElementType()))
        for (APFloat value : dense.getValues<APFloat>())
          bound = join(bound, constantBound(value));
      else
        for (APInt value : dense.getValues<APInt>())
          bound = join(bound, {std::fabs(double(value.getSExtValue())), 0});
      return bound;
    }
    return {unbounded, 0};
  }

  Bound joinOperands(Operation *op) {
    Bound bound;
    for (Value operand : op->getOperands())
      bound = join(bound, bounds.lookup(operand));
    return bound;
  }

  void visit(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      set(op, constant.getResult(), attributeBound(constant.getValue()));
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      visitLinalg(linalgOp);
    } else if (isa<tensor::PadOp>(op)) {
      Bound bound = joinOperands(op);
      Operation *yield = op->getRegion(0).front().getTerminator();
      for (Operation &inner : op->getRegion(0).front().without_terminator())
        visitScalar(&inner);
      set(op, op->getResult(0), join(bound, joinOperands(yield)));
    } else if (isa<tensor::EmptyOp>(op)) {
      bounds[op->getResult(0)] = {0, 0};
    } else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                   tensor::ExtractSliceOp, tensor::InsertSliceOp,
                   tensor::ConcatOp, tensor::CastOp>(op)) {
      for (Value result : op->getResults())
        set(op, result, joinOperands(op));
    } else {
      // An aggregate such as softmax may sum along any one dimension.
      int64_t longest = 1;
      for (Type type : op->getOperandTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          for (int64_t extent : tensor.getShape())
            longest = std::max(longest, extent);
      if (longest > 1 && op->getNumResults() == 1) {
        numerics.terms *= double(longest);
        auto type = elementTypeOf(getElementTypeOrSelf(op->getResult(0)));
        if (type)
          numerics.accumulatorRoundoff =
              std::max(numerics.accumulatorRoundoff, unitRoundoff(*type));
      }
      visitScalar(op);
    }
  }

  void visitLinalg(linalg::LinalgOp op) {
    Block &body = op->getRegion(0).front();
    for (auto [argument, operand] :
         llvm::zip(body.getArguments(), op->getOperands()))
      bounds[argument] = bounds.lookup(operand);
    double terms = 1;
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    for (auto [extent, kind] : llvm::zip(extents, op.getIteratorTypesArray()))
      if (kind == utils::IteratorType::reduction)
        terms *= double(extent);
    for (Operation &inner : body.without_terminator())
      visitScalar(&inner);
    Operation *yield = body.getTerminator();
    for (auto [n, result] : llvm::enumerate(yield->getOperands())) {
      BlockArgument accumulator = op.getRegionOutputArgs()[n];
      Bound bound = bounds.lookup(result);
      if (!accumulator.use_empty() && terms > 1)
        bound = reduce(op, result, accumulator, terms);
      if (op->getNumResults())
        set(op, op->getResult(n), bound);
    }
  }

  /// The bound after `terms` steps of a reduction, given its first one.
  Bound reduce(Operation *op, Value result, Value accumulator, double terms) {
    Operation *combiner = result.getDefiningOp();
    Bound first = bounds.lookup(result), start = bounds.lookup(accumulator);
    if (isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                        arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp,
                        arith::OrIOp, arith::AndIOp>(combiner))
      return first;
    if (combiner && isAddLike(combiner) && accumulator.hasOneUse() &&
        llvm::is_contained(combiner->getOperands(), accumulator)) {
      numerics.terms *= terms;
      numerics.longestSum = std::max(numerics.longestSum, terms);
      for (Operation &inner : *combiner->getBlock())
        numerics.addsProducts |= isMulLike(&inner);
      auto type = elementTypeOf(result.getType());
      if (type)
        numerics.accumulatorRoundoff =
            std::max(numerics.accumulatorRoundoff, unitRoundoff(*type));
      double nonzero = terms;
      if (range.sparsity > 1)
        nonzero = 1; // The magnitude of the actual sums confirms this.
      return {start.magnitude + nonzero * (first.magnitude - start.magnitude),
              first.fraction};
    }
    if (isa<IntegerType>(result.getType()))
      return {unbounded, 0};
    numerics.linear = false;
    inexact(op, ": a reduction that is neither a sum nor an extremum");
    return {unbounded, 0};
  }

  void visitScalar(Operation *op) {
    if (op->getNumResults() != 1)
      return;
    Value result = op->getResult(0);
    Type type = result.getType();
    auto element = elementTypeOf(type);
    bool rounds = element && isFloat(*element);
    if (rounds && !isa<arith::ConstantOp>(op)) {
      bool accumulates = false;
      for (Operation *user : result.getUsers())
        accumulates |= isa<linalg::YieldOp>(user) && isAddLike(op);
      if (!accumulates && !isa<arith::ExtFOp>(op))
        numerics.otherRoundoff =
            std::max(numerics.otherRoundoff, unitRoundoff(*element));
    }
    Bound a, b;
    if (op->getNumOperands() > 0)
      a = bounds.lookup(op->getOperand(0));
    if (op->getNumOperands() > 1)
      b = bounds.lookup(op->getOperand(1));
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return set(op, result, attributeBound(constant.getValue()));
    if (isAddLike(op))
      return set(op, result,
                 {a.magnitude + b.magnitude, std::max(a.fraction, b.fraction)});
    if (isMulLike(op))
      return set(op, result,
                 {a.magnitude * b.magnitude, a.fraction + b.fraction});
    if (isSelectLike(op))
      return set(op, result, joinOperands(op));
    if (isa<math::FmaOp>(op)) {
      Bound c = bounds.lookup(op->getOperand(2));
      return set(op, result,
                 {a.magnitude * b.magnitude + c.magnitude,
                  std::max(a.fraction + b.fraction, c.fraction)});
    }
    if (isa<arith::SelectOp>(op))
      return set(op, result, join(b, bounds.lookup(op->getOperand(2))));
    if (isa<arith::CmpFOp, arith::CmpIOp>(op)) {
      bounds[result] = {1, 0};
      return;
    }
    if (isa<tensor::ExtractOp>(op)) { // Operand 0 is the tensor.
      bounds[result] = a;
      return;
    }
    if (isa<arith::TruncIOp>(op)) {
      bounds[result] = {a.magnitude, 0};
      return;
    }
    // Integers wrap in the same way in any order.
    bool floatOperand = llvm::any_of(op->getOperandTypes(), [](Type type) {
      return isa<FloatType>(getElementTypeOrSelf(type));
    });
    if (isa<IntegerType, IndexType>(type) && !floatOperand) {
      bounds[result] = {unbounded, 0};
      return;
    }
    numerics.linear = false;
    inexact(op, " rounds");
    bounds[result] = {unbounded, 0};
  }

  const TaskProgram &task;
  InputRange range;
  TaskNumerics numerics;
  DenseMap<Value, Bound> bounds;
};
} // namespace

/// One less than the largest index that computed reads may use; 0 if the task
/// has no computed reads.
static int64_t computedReadExtent(const TaskProgram &task) {
  int64_t extent = 0;
  task.module().walk([&](tensor::ExtractOp op) {
    for (int64_t size : op.getTensor().getType().getShape())
      extent = extent ? std::min(extent, size) : size;
  });
  return extent;
}

TaskNumerics pruner::analyzeNumerics(const TaskProgram &task) {
  int64_t indexBelow = computedReadExtent(task);
  TaskNumerics dense; // Ends with the smallest magnitude.
  for (int64_t magnitude : {8, 4, 2, 1}) {
    dense = Analysis(task, {magnitude, 1, indexBelow}).run();
    if (dense.exact)
      return dense;
  }
  if (!dense.linear)
    return dense;
  // The sums are too long for the type. Reduce the density of inputs until the
  // expected sum of their terms (inputs, or products of two) is a factor of
  // four below the limit.
  TaskNumerics sparse = Analysis(task, {1, 2, indexBelow}).run();
  if (!sparse.exact)
    return dense;
  double limit = 0.25 / dense.largestRoundoff();
  int64_t sparsity = 2;
  auto expected = [&] {
    double share = 1 / double(sparsity);
    return dense.terms * (dense.addsProducts ? share * share : share);
  };
  while (sparsity < (1 << 16) && expected() > limit)
    sparsity *= 2;
  sparse.range.sparsity = sparsity;
  sparse.exactIfMagnitudeFits = true;
  return sparse;
}
