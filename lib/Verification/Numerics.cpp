//===- Numerics.cpp - static analysis of a task's arithmetic --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
/// All elements of a value lie between `low` and `high` and are multiples of
/// 2^-fraction; integers count with their sign, an i1 as -1, 0 or 1.
///
/// Between, not up to a magnitude: a maximum of anything and the constant that
/// it starts from is bounded by the terms alone, whether that constant is -inf,
/// the least number of the type or some other number below the terms. Wherever
/// else such a constant goes, it counts in full.
struct Bound {
  double low = 0, high = 0;
  int fraction = 0;

  double magnitude() const { return std::max(-low, high); }
  static Bound upTo(double magnitude, int fraction = 0) {
    return {-magnitude, magnitude, fraction};
  }
  static Bound unknown() { return upTo(INFINITY); }
};
} // namespace

/// `bound`, or anything where infinities met in its ends.
static Bound settled(const Bound &bound) {
  return std::isnan(bound.low) || std::isnan(bound.high) ? Bound::unknown()
                                                         : bound;
}

static Bound join(const Bound &a, const Bound &b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high),
          std::max(a.fraction, b.fraction)};
}
static Bound negated(const Bound &a) { return {-a.high, -a.low, a.fraction}; }
static Bound sum(const Bound &a, const Bound &b) {
  return settled(
      {a.low + b.low, a.high + b.high, std::max(a.fraction, b.fraction)});
}
static Bound product(const Bound &a, const Bound &b) {
  double ends[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                   a.high * b.high};
  for (double end : ends)
    if (std::isnan(end))
      return Bound::unknown();
  return {*llvm::min_element(ends), *llvm::max_element(ends),
          a.fraction + b.fraction};
}
static Bound largerOf(const Bound &a, const Bound &b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high),
          std::max(a.fraction, b.fraction)};
}
static Bound absolute(const Bound &a) {
  double low = a.low > 0 ? a.low : a.high < 0 ? -a.high : 0;
  return {low, a.magnitude(), a.fraction};
}

static bool isAddLike(Operation *op) {
  return isa<arith::AddFOp, arith::SubFOp, arith::AddIOp, arith::SubIOp>(op);
}
static bool isMulLike(Operation *op) {
  return isa<arith::MulFOp, arith::MulIOp>(op);
}
static bool isMaximum(Operation *op) {
  return isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(op);
}
static bool isMinimum(Operation *op) {
  return isa<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp>(op);
}

/// The bits of an integer type; 0 for other types.
static unsigned integerBits(Type type) {
  type = getElementTypeOrSelf(type);
  if (type.isIndex())
    return 64;
  return isa<IntegerType>(type) ? type.getIntOrFloatBitWidth() : 0;
}

/// The range of integers of this many bits.
static Bound allIntegers(unsigned bits) {
  if (bits == 1)
    return Bound::upTo(1);
  double half = std::ldexp(1.0, int(bits) - 1);
  return {-half, half - 1, 0};
}

/// `bound` of integers that wrap at this many bits.
static Bound wrapped(const Bound &bound, unsigned bits) {
  Bound all = allIntegers(bits);
  bool fits = bound.low >= all.low && bound.high <= all.high;
  return fits ? bound : all;
}

/// The range of integers of this many bits, read without a sign.
static Bound withoutSign(const Bound &bound, unsigned bits) {
  if (bits == 1)
    return {0, 1, 0};
  return bound.low >= 0 ? bound : Bound{0, std::ldexp(1.0, int(bits)) - 1, 0};
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
      bounds[argument] =
          Bound::upTo(double(std::max(range.magnitude, range.indexBelow)));
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

  /// Records `bound` for the result of `op`, which rounds or wraps to its type.
  void set(Operation *op, Value value, Bound bound) {
    if (unsigned bits = integerBits(value.getType()))
      bound = wrapped(bound, bits);
    bounds[value] = bound;
    auto type = elementTypeOf(getElementTypeOrSelf(value.getType()));
    if (!type || !isFloat(*type))
      return;
    double smallest = smallestNormal(*type) * 2 * unitRoundoff(*type);
    if (!(std::ldexp(bound.magnitude(), bound.fraction) <=
          std::ldexp(1.0, precisionBits(*type))) ||
        std::ldexp(1.0, -bound.fraction) < smallest)
      inexact(op, (llvm::Twine(": values up to ") +
                   std::to_string(bound.magnitude()) + " with " +
                   llvm::Twine(bound.fraction) +
                   " fraction bits do not fit its type")
                      .str());
  }

  static Bound constantBound(const APFloat &value) {
    bool ignored;
    APFloat wide = value;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &ignored);
    double number = wide.convertToDouble();
    if (std::isnan(number))
      return Bound::unknown();
    int fraction = 0;
    while (std::isfinite(number) && fraction < 1100 &&
           std::ldexp(number, fraction) !=
               std::floor(std::ldexp(number, fraction)))
      ++fraction;
    return {number, number, fraction};
  }

  static Bound constantBound(const APInt &value) {
    double number = value.getBitWidth() <= 64 ? double(value.getSExtValue())
                                              : value.signedRoundToDouble();
    return {number, number, 0};
  }

  static Bound attributeBound(Attribute attribute) {
    if (auto value = dyn_cast<FloatAttr>(attribute))
      return constantBound(value.getValue());
    if (auto value = dyn_cast<IntegerAttr>(attribute))
      return constantBound(value.getValue());
    auto dense = dyn_cast<DenseElementsAttr>(attribute);
    if (!dense || !dense.getElementType().isIntOrIndexOrFloat())
      return Bound::unknown();
    if (dense.isSplat())
      return attributeBound(dense.getSplatValue<Attribute>());
    std::optional<Bound> bound;
    auto add = [&](const auto &value) {
      bound = bound ? join(*bound, constantBound(value)) : constantBound(value);
    };
    if (isa<FloatType>(dense.getElementType()))
      llvm::for_each(dense.getValues<APFloat>(), add);
    else
      llvm::for_each(dense.getValues<APInt>(), add);
    return bound.value_or(Bound());
  }

  /// One of the operands that are elements or tensors of them.
  Bound joinOperands(Operation *op) {
    std::optional<Bound> bound;
    for (Value operand : op->getOperands())
      if (!operand.getType().isIndex())
        bound = bound ? join(*bound, bounds.lookup(operand))
                      : bounds.lookup(operand);
    return bound.value_or(Bound());
  }

  void visit(Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      bounds[constant] = attributeBound(constant.getValue());
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      visitLinalg(linalgOp);
    } else if (isa<tensor::PadOp>(op)) {
      Bound bound = joinOperands(op);
      Operation *yield = op->getRegion(0).front().getTerminator();
      for (Operation &inner : op->getRegion(0).front().without_terminator())
        visitScalar(&inner);
      bounds[op->getResult(0)] = join(bound, joinOperands(yield));
    } else if (isa<tensor::EmptyOp>(op)) {
      bounds[op->getResult(0)] = Bound();
    } else if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                   tensor::ExtractSliceOp, tensor::InsertSliceOp,
                   tensor::ConcatOp, tensor::CastOp>(op)) {
      for (Value result : op->getResults())
        bounds[result] = joinOperands(op);
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
        bounds[op->getResult(n)] = bound;
    }
  }

  /// The bound after `terms` steps of a reduction, given its first one.
  Bound reduce(Operation *op, Value result, Value accumulator, double terms) {
    Operation *combiner = result.getDefiningOp();
    bool combines = combiner && accumulator.hasOneUse() &&
                    llvm::is_contained(combiner->getOperands(), accumulator);
    // Further terms have the bounds of the first one.
    if (combines && (isMaximum(combiner) || isMinimum(combiner)))
      return bounds.lookup(result);
    if (combines && isAddLike(combiner)) {
      numerics.terms *= terms;
      numerics.longestSum = std::max(numerics.longestSum, terms);
      for (Operation &inner : *combiner->getBlock())
        numerics.addsProducts |= isMulLike(&inner);
      auto type = elementTypeOf(result.getType());
      if (type)
        numerics.accumulatorRoundoff =
            std::max(numerics.accumulatorRoundoff, unitRoundoff(*type));
      Bound start = bounds.lookup(accumulator),
            term = bounds.lookup(
                combiner->getOperand(combiner->getOperand(0) == accumulator));
      double nonzero = terms;
      if (range.sparsity > 1)
        nonzero = 1; // To be confirmed by the magnitude of the actual sums.
      set(combiner, result,
          Bound::upTo(start.magnitude() + nonzero * term.magnitude(),
                      std::max(start.fraction, term.fraction)));
      return bounds.lookup(result);
    }
    if (unsigned bits = integerBits(result.getType()))
      return allIntegers(bits);
    numerics.linear = false;
    inexact(op, ": a reduction that is neither a sum nor an extremum");
    return Bound::unknown();
  }

  /// The bound of a result of `op` that is one of its operands, or its
  /// negation or magnitude; none where it is something else.
  std::optional<Bound> selected(Operation *op, const Bound &a, const Bound &b) {
    if (isMaximum(op))
      return largerOf(a, b);
    if (isMinimum(op))
      return negated(largerOf(negated(a), negated(b)));
    if (isa<arith::SelectOp>(op))
      return join(b, bounds.lookup(op->getOperand(2)));
    if (isa<arith::NegFOp>(op))
      return negated(a);
    if (isa<math::AbsFOp, math::AbsIOp>(op))
      return absolute(a);
    if (isa<arith::ExtFOp, arith::ExtSIOp>(op))
      return a;
    if (isa<arith::ExtUIOp>(op))
      return withoutSign(a, integerBits(op->getOperand(0).getType()));
    if (isa<tensor::ExtractOp>(op)) // Operand 0 is the tensor.
      return a;
    return std::nullopt;
  }

  /// The bound of the exact result of `op`; none where it is not known.
  std::optional<Bound> computed(Operation *op, const Bound &a, const Bound &b) {
    if (isa<arith::AddFOp, arith::AddIOp>(op))
      return sum(a, b);
    if (isa<arith::SubFOp, arith::SubIOp>(op))
      return sum(a, negated(b));
    if (isMulLike(op))
      return product(a, b);
    if (isa<math::FmaOp>(op))
      return sum(product(a, b), bounds.lookup(op->getOperand(2)));
    if (isa<arith::TruncFOp, arith::SIToFPOp, arith::TruncIOp>(op))
      return a;
    if (isa<arith::UIToFPOp>(op))
      return withoutSign(a, integerBits(op->getOperand(0).getType()));
    return std::nullopt;
  }

  void visitScalar(Operation *op) {
    for (Value result : op->getResults())
      visitResult(op, result);
  }

  void visitResult(Operation *op, Value result) {
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
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      bounds[result] = attributeBound(constant.getValue());
      return;
    }
    Bound a, b;
    if (op->getNumOperands() > 0)
      a = bounds.lookup(op->getOperand(0));
    if (op->getNumOperands() > 1)
      b = bounds.lookup(op->getOperand(1));
    if (op->getNumResults() == 1) {
      if (std::optional<Bound> bound = selected(op, a, b)) {
        if (unsigned bits = integerBits(type))
          bound = wrapped(*bound, bits); // The least integer has no magnitude.
        bounds[result] = *bound;
        return;
      }
      if (std::optional<Bound> bound = computed(op, a, b))
        return set(op, result, *bound);
    }
    // Integers wrap in the same way in any order.
    bool floatOperand = llvm::any_of(op->getOperandTypes(), [](Type type) {
      return isa<FloatType>(getElementTypeOrSelf(type));
    });
    unsigned bits = integerBits(type);
    if (bits && (!floatOperand || isa<arith::CmpFOp>(op))) {
      bounds[result] = allIntegers(bits);
      return;
    }
    numerics.linear = false;
    inexact(op, " rounds");
    bounds[result] = Bound::unknown();
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
