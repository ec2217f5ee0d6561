//===- LinalgLoops.cpp - evaluate linalg operations point by point --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineExprVisitor.h"

#include <cfloat>
#include <numeric>

using namespace llvm;
using namespace pruner;
namespace arith = mlir::arith;

namespace {
/// The element of an operand at a point: linear in the loops, or evaluated.
class Access {
public:
  Access(mlir::AffineMap map, ArrayRef<int64_t> shape)
      : map(map), shape(shape) {
    linear = true;
    coefficients.assign(map.getNumDims(), 0);
    int64_t stride = 1;
    for (int64_t r = int64_t(shape.size()) - 1; r >= 0; --r) {
      addLinear(map.getResult(r), stride);
      stride *= shape[r];
    }
  }

  int64_t at(ArrayRef<int64_t> point) const {
    if (linear)
      return std::inner_product(point.begin(), point.end(),
                                coefficients.begin(), constant);
    int64_t offset = 0;
    for (auto [r, result] : enumerate(map.getResults()))
      offset = offset * shape[r] + evaluate(result, point);
    return offset;
  }

  static int64_t evaluate(mlir::AffineExpr expr, ArrayRef<int64_t> point) {
    if (auto number = dyn_cast<mlir::AffineConstantExpr>(expr))
      return number.getValue();
    if (auto dim = dyn_cast<mlir::AffineDimExpr>(expr))
      return point[dim.getPosition()];
    auto binary = cast<mlir::AffineBinaryOpExpr>(expr);
    int64_t a = evaluate(binary.getLHS(), point),
            b = evaluate(binary.getRHS(), point);
    switch (binary.getKind()) {
    case mlir::AffineExprKind::Add:
      return a + b;
    case mlir::AffineExprKind::Mul:
      return a * b;
    case mlir::AffineExprKind::FloorDiv:
      return llvm::divideFloorSigned(a, b);
    case mlir::AffineExprKind::CeilDiv:
      return llvm::divideCeilSigned(a, b);
    default:
      return llvm::mod(a, b);
    }
  }

private:
  void addLinear(mlir::AffineExpr expr, int64_t factor) {
    if (auto number = dyn_cast<mlir::AffineConstantExpr>(expr)) {
      constant += factor * number.getValue();
    } else if (auto dim = dyn_cast<mlir::AffineDimExpr>(expr)) {
      coefficients[dim.getPosition()] += factor;
    } else if (expr.getKind() == mlir::AffineExprKind::Add) {
      auto sum = cast<mlir::AffineBinaryOpExpr>(expr);
      addLinear(sum.getLHS(), factor);
      addLinear(sum.getRHS(), factor);
    } else if (auto product = dyn_cast<mlir::AffineBinaryOpExpr>(expr);
               product && expr.getKind() == mlir::AffineExprKind::Mul &&
               isa<mlir::AffineConstantExpr>(product.getRHS())) {
      addLinear(
          product.getLHS(),
          factor * cast<mlir::AffineConstantExpr>(product.getRHS()).getValue());
    } else {
      linear = false;
    }
  }

  mlir::AffineMap map;
  SmallVector<int64_t> shape;
  SmallVector<int64_t> coefficients;
  int64_t constant = 0;
  bool linear;
};

/// A result of the body that adds, subtracts or multiplies the old value and a
/// term that does not depend on it.
struct Accumulation {
  mlir::Value term;
  RealType type;
  bool isSubtracted = false;
  /// The factors of the term if matrix instructions may add it, which take
  /// subnormal numbers of f32 as zero: a product in f32 of numbers extended
  /// from f16, bf16 or tf32.
  SmallVector<mlir::Value, 2> narrowFactors = {};
};

/// The possible partial products of the factors of one product, in any order.
class PartialProducts {
public:
  void add(RealRange factor) {
    ++factors;
    double most = factor.magnitude(), least = 0;
    if (factor.isEmpty() || std::isinf(most)) {
      infinite = true;
      return;
    }
    if (!factor.contains(0))
      least = std::min(std::fabs(factor.lo), std::fabs(factor.hi));
    largest *= std::max(most, 1.0);
    // An exact zero does not make a partial product small, but zero.
    if (most > 0)
      smallest *= std::min(least, 1.0);
  }

  /// `inOrder`, the product as the loops compute it, in any order. If partial
  /// products overflow, a zero may meet an infinity. If they lose bits, later
  /// factors may enlarge the error.
  RealRange anyOrder(RealRange inOrder, const RealType &type) const {
    double normal = std::ldexp(type.smallest, type.digits - 1);
    if (largest > type.largest || (infinite && smallest < normal))
      return RealRange::anything();
    // If one product was rounded, all may be in another order.
    if (!inOrder.isEmpty() && !inOrder.isPoint() &&
        std::isfinite(inOrder.magnitude())) {
      double rounding = factors * type.roundoff * inOrder.magnitude();
      inOrder.lo -= rounding;
      inOrder.hi += rounding;
    }
    if (inOrder.isEmpty() || smallest >= normal)
      return inOrder;
    double lost = factors * type.smallest * largest;
    return {inOrder.lo - lost, inOrder.hi + lost, inOrder.nan};
  }

private:
  double largest = 1, smallest = 1, factors = 0;
  bool infinite = false; ///< Some factor is infinite or NaN.
};
} // namespace

static bool dependsOn(mlir::Value value, mlir::Value on, mlir::Block *block) {
  if (value == on)
    return true;
  mlir::Operation *op = value.getDefiningOp();
  return op && op->getBlock() == block &&
         any_of(op->getOperands(), [&](mlir::Value operand) {
           return dependsOn(operand, on, block);
         });
}

template <typename Op>
static std::optional<Accumulation>
matchAccumulation(mlir::Value yielded, mlir::Value old, mlir::Block *block) {
  auto op = yielded.getDefiningOp<Op>();
  if (!op || !old.hasOneUse() || !op->hasOneUse() || op->getBlock() != block)
    return std::nullopt;
  mlir::Value term = op.getLhs() == old   ? op.getRhs()
                     : op.getRhs() == old ? op.getLhs()
                                          : mlir::Value();
  if (!term || dependsOn(term, old, block))
    return std::nullopt;
  return Accumulation{term, RealType::of(cast<mlir::FloatType>(op.getType()))};
}

static std::optional<Accumulation>
matchSum(mlir::Value yielded, mlir::Value old, mlir::Block *block) {
  auto difference = yielded.getDefiningOp<arith::SubFOp>();
  if (difference && difference.getLhs() != old)
    return std::nullopt;
  auto sum = difference ? matchAccumulation<arith::SubFOp>(yielded, old, block)
                        : matchAccumulation<arith::AddFOp>(yielded, old, block);
  if (!sum)
    return std::nullopt;
  sum->isSubtracted = bool(difference);
  auto product = sum->term.getDefiningOp<arith::MulFOp>();
  if (product && product.getType().isF32() &&
      all_of(product->getOperands(), [](mlir::Value factor) {
        auto extension = factor.getDefiningOp<arith::ExtFOp>();
        return extension &&
               isa<mlir::BFloat16Type, mlir::Float16Type, mlir::FloatTF32Type>(
                   extension.getIn().getType());
      }))
    append_range(sum->narrowFactors, product->getOperands());
  return sum;
}

static bool maybeSubnormal(const RealRange &range) {
  return !range.isEmpty() && range.lo < FLT_MIN && range.hi > -FLT_MIN;
}

/// The extents of the loops, from the extents of all operands. Fails if two
/// operands have different extents along one loop.
static Expected<SmallVector<int64_t>>
loopRanges(mlir::linalg::LinalgOp op, ArrayRef<RangeTensorRef> operands) {
  SmallVector<int64_t> flat;
  for (const RangeTensorRef &operand : operands)
    append_range(flat, operand->shape);
  SmallVector<int64_t> ranges = op.getShapesToLoopsMap().compose(flat);
  for (auto [operand, tensor] : zip_equal(op->getOpOperands(), operands))
    for (auto [expr, extent] : zip_equal(
             op.getMatchingIndexingMap(&operand).getResults(), tensor->shape))
      if (auto dim = dyn_cast<mlir::AffineDimExpr>(expr);
          dim && ranges[dim.getPosition()] != extent)
        return createStringError("two extents of a loop may differ");
  return ranges;
}

Error Interpreter::evaluateLinalgOp(mlir::Operation *operation) {
  auto op = cast<mlir::linalg::LinalgOp>(operation);
  mlir::Block *block = op.getBlock();
  bool reduces = op.getNumReductionLoops() > 0;

  std::vector<RangeTensorRef> inputs;
  std::vector<std::shared_ptr<RangeTensor>> outputs;
  std::vector<Access> accesses;
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    RangeTensorRef tensor = get(operand.get());
    if (!tensor)
      return createStringError("an operand is not known");
    accesses.emplace_back(op.getMatchingIndexingMap(&operand), tensor->shape);
    if (op.isDpsInit(&operand))
      outputs.push_back(std::make_shared<RangeTensor>(*tensor));
    inputs.push_back(std::move(tensor));
  }
  auto known = loopRanges(op, inputs);
  if (!known)
    return known.takeError();
  const SmallVector<int64_t> &ranges = *known;

  size_t numInputs = op.getNumDpsInputs();
  std::vector<std::optional<Accumulation>> sums(outputs.size()),
      products(outputs.size());
  SmallVector<mlir::Operation *> anyOrder;
  for (auto [n, value] : enumerate(block->getTerminator()->getOperands())) {
    mlir::Value old = block->getArgument(numInputs + n);
    if (!reduces)
      continue;
    sums[n] = matchSum(value, old, block);
    products[n] = matchAccumulation<arith::MulFOp>(value, old, block);
    if (products[n])
      anyOrder.push_back(value.getDefiningOp());
  }
  ScalarProgram program(*this);
  if (Error error = program.addBlock(*block, anyOrder))
    return error;
  SmallVector<unsigned> slots, yielded;
  for (mlir::Value argument : block->getArguments())
    slots.push_back(cantFail(program.slotOf(argument)));
  std::vector<std::vector<SumRange>> partial(outputs.size());
  std::vector<std::vector<PartialProducts>> factors(outputs.size());
  std::vector<unsigned> factorSlots(outputs.size());
  std::vector<SmallVector<unsigned, 2>> narrowSlots(outputs.size());
  for (auto [n, value] : enumerate(block->getTerminator()->getOperands())) {
    if (products[n]) {
      auto slot = program.slotOf(products[n]->term);
      if (!slot)
        return slot.takeError();
      factorSlots[n] = *slot;
      for (const Cell &cell : outputs[n]->cells)
        factors[n].emplace_back().add(cell.real);
    }
    auto slot = program.slotOf(sums[n] ? sums[n]->term : value);
    if (!slot)
      return slot.takeError();
    yielded.push_back(*slot);
    if (!sums[n])
      continue;
    for (mlir::Value factor : sums[n]->narrowFactors)
      narrowSlots[n].push_back(cantFail(program.slotOf(factor)));
    bool flushes = !narrowSlots[n].empty();
    for (const Cell &cell : outputs[n]->cells)
      partial[n].emplace_back(flushes).add(cell.real);
  }

  ScalarProgram::State state = program.start();
  SmallVector<int64_t> point(ranges.size(), 0);
  if (is_contained(ranges, 0))
    point.clear(); // No iteration at all.
  state.position = point;
  bool any = !is_contained(ranges, 0);
  while (any) {
    for (size_t n = 0; n < accesses.size(); ++n) {
      const RangeTensor &tensor =
          n < numInputs ? *inputs[n] : *outputs[n - numInputs];
      state.slots[slots[n]] = tensor.cells[accesses[n].at(point)];
    }
    if (!program.run(state))
      return createStringError(state.failure);
    for (size_t n = 0; n < outputs.size(); ++n) {
      int64_t offset = accesses[numInputs + n].at(point);
      if (products[n])
        factors[n][offset].add(state.slots[factorSlots[n]].real);
      if (sums[n]) {
        RealRange term = state.slots[yielded[n]].real;
        if (any_of(narrowSlots[n], [&](unsigned factor) {
              return maybeSubnormal(state.slots[factor].real);
            }))
          term = term.join(RealRange::exactly(0));
        partial[n][offset].add(sums[n]->isSubtracted ? negate(term) : term);
      } else
        outputs[n]->cells[offset] = state.slots[yielded[n]];
    }
    int64_t d = int64_t(ranges.size()) - 1;
    while (d >= 0 && ++point[d] == ranges[d])
      point[d--] = 0;
    any = d >= 0;
  }
  for (size_t n = 0; n < outputs.size(); ++n) {
    if (sums[n])
      for (auto [cell, sum] : zip(outputs[n]->cells, partial[n]))
        cell.real = sum.total(sums[n]->type);
    if (products[n])
      for (auto [cell, all] : zip(outputs[n]->cells, factors[n]))
        cell.real = all.anyOrder(cell.real, products[n]->type);
    set(op->getResult(n), outputs[n]);
  }
  return Error::success();
}

/// exp(x - max) divided by its sum, along one dimension.
Error Interpreter::evaluateSoftmax(mlir::Operation *operation) {
  auto op = cast<mlir::linalg::SoftmaxOp>(operation);
  RangeTensorRef input = get(op.getInput());
  auto floatType =
      dyn_cast<mlir::FloatType>(op.getInputOperandType().getElementType());
  if (!input || !floatType)
    return unsupported(op);
  RealType type = RealType::of(floatType);
  auto output = std::make_shared<RangeTensor>(*input);
  int64_t length = input->shape[op.getDimension()], inner = 1;
  for (size_t d = op.getDimension() + 1; d < input->shape.size(); ++d)
    inner *= input->shape[d];
  auto exponential = [&](RealRange x) {
    RealRange value{std::exp(x.lo), std::exp(x.hi), x.nan};
    value = x.isEmpty() ? x : rounded(value, type, /*ulps=*/6);
    value.lo = std::max(value.lo, 0.0);
    return value;
  };
  int64_t total = input->cells.size();
  for (int64_t start = 0; start < total; ++start) {
    if (start / inner % length != 0)
      continue;
    auto row = [&](int64_t k) -> RealRange & {
      return output->cells[start + k * inner].real;
    };
    RealRange most = row(0);
    for (int64_t k = 1; k < length; ++k)
      most = larger(most, row(k), /*propagate=*/true);
    SumRange sum;
    for (int64_t k = 0; k < length; ++k) {
      row(k) = exponential(subtract(row(k), most, type));
      sum.add(row(k));
    }
    for (int64_t k = 0; k < length; ++k)
      row(k) = divide(row(k), sum.total(type), type);
  }
  set(op->getResult(0), output);
  return Error::success();
}
