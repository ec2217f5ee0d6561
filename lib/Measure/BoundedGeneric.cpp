//===- BoundedGeneric.cpp - linalg ops with bounds ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BoundedGeneric.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

static Value emptyLike(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 builder.getF64Type());
}

Value pruner::zerosLike(OpBuilder &builder, Location loc, Value like) {
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(0));
  return linalg::FillOp::create(builder, loc, zero,
                                emptyLike(builder, loc, like))
      .getResult(0);
}

/// Whether `value` depends on `from` inside its block.
static bool dependsOn(Value value, Value from) {
  if (value == from)
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == from.getParentBlock() &&
         llvm::any_of(op->getOperands(),
                      [&](Value operand) { return dependsOn(operand, from); });
}

Operation *BoundedGeneric::sumCombiner() {
  if (op.getNumReductionLoops() == 0 || op->getNumResults() != 1)
    return nullptr;
  Value accumulator = op.getRegionOutputArgs()[0];
  Operation *last =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp>(last) ||
      last->getBlock() != op.getBlock() || !accumulator.hasOneUse())
    return nullptr;
  bool first = last->getOperand(0) == accumulator;
  bool second = isa<arith::AddFOp>(last) && last->getOperand(1) == accumulator;
  if (!first && !second)
    return nullptr;
  return dependsOn(last->getOperand(first ? 1 : 0), accumulator) ? nullptr
                                                                 : last;
}

SmallVector<Bounded> BoundedGeneric::write() {
  if (Operation *combiner = sumCombiner())
    return {writeSum(combiner)};
  SmallVector<bool> carry;
  for (Value init : op.getOutputs())
    carry.push_back(bool(known.lookup(init).error));
  // Each turn flags at least one more result.
  for (;;)
    if (auto results = writeBody(carry))
      return *results;
}

BoundedGeneric::Inputs BoundedGeneric::collectInputs() {
  Inputs inputs;
  for (bool errors : {false, true})
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Bounded bounded = known.lookup(operand->get());
      Value value = errors ? bounded.error : bounded.value;
      if (!value)
        continue;
      inputs.values.push_back(value);
      inputs.maps.push_back(op.getMatchingIndexingMap(operand));
    }
  return inputs;
}

BoundedValues BoundedGeneric::mapInputs(ValueRange arguments) {
  BoundedValues scalars = known;
  size_t next = op.getNumDpsInputs();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Bounded scalar{arguments[operand->getOperandNumber()], {}};
    if (known.lookup(operand->get()).error)
      scalar.error = arguments[next++];
    scalars[op.getMatchingBlockArgument(operand)] = scalar;
  }
  return scalars;
}

/// An element of a tensor from outside; of an uncertain place, anything.
Bounded BoundedGeneric::extract(ErrorRules &rules, Operation *op,
                                ArrayRef<Bounded> operands) {
  SmallVector<Value> indices;
  Value open;
  for (const Bounded &index : operands.drop_front()) {
    indices.push_back(index.value);
    if (index.error)
      open = open ? rules.wide.max(open, index.error) : index.error;
  }
  Bounded element{
      rules.wide.create<tensor::ExtractOp>(operands[0].value, indices), {}};
  if (operands[0].error)
    element.error =
        rules.wide.create<tensor::ExtractOp>(operands[0].error, indices);
  if (open) {
    Value certain =
        rules.wide.compare(Predicate::OEQ, open, rules.wide.constant(0));
    element.error = rules.wide.select(certain, rules.wide.orZero(element.error),
                                      rules.wide.infinity());
  }
  return element;
}

/// Whether `op` multiplies exact numbers for `combiner` to add, as contractions
/// do. The errors of such products follow from the sum of their magnitudes.
static bool isExactProduct(Operation *op, Operation *combiner,
                           ArrayRef<Bounded> operands) {
  return isa<arith::MulFOp>(op) && op->hasOneUse() &&
         *op->user_begin() == combiner && !operands[0].error &&
         !operands[1].error;
}

void BoundedGeneric::copyBody(ErrorRules &rules, Operation *combiner,
                              BoundedValues &scalars) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (&inner == combiner)
      continue;
    SmallVector<Bounded> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(scalars.lookup(operand));
    if (combiner && isExactProduct(&inner, combiner, operands)) {
      scalars[inner.getResult(0)] = {
          rules.wide.mul(operands[0].value, operands[1].value), {}};
      addsProducts = true;
      continue;
    }
    scalars[inner.getResult(0)] = isa<tensor::ExtractOp>(inner)
                                      ? extract(rules, &inner, operands)
                                      : rules.apply(&inner, operands);
  }
}

std::optional<SmallVector<Bounded>>
BoundedGeneric::writeBody(SmallVectorImpl<bool> &carry) {
  Location loc = op.getLoc();
  Inputs inputs = collectInputs();
  SmallVector<Value> outs;
  SmallVector<AffineMap> maps = inputs.maps;
  for (bool errors : {false, true})
    for (auto [n, init] : llvm::enumerate(op.getOutputs())) {
      if (errors && !carry[n])
        continue;
      Bounded bounded = known.lookup(init);
      outs.push_back(!errors         ? bounded.value
                     : bounded.error ? bounded.error
                                     : zerosLike(builder, loc, bounded.value));
      maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(n)));
    }
  bool complete = true;
  auto written = linalg::GenericOp::create(
      builder, loc, ValueRange(outs).getTypes(), inputs.values, outs, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        BoundedValues scalars = mapInputs(arguments);
        ValueRange accumulators = arguments.drop_front(inputs.values.size());
        size_t next = op->getNumResults();
        for (auto [n, argument] : llvm::enumerate(op.getRegionOutputArgs())) {
          Bounded scalar{accumulators[n], {}};
          if (carry[n])
            scalar.error = accumulators[next++];
          scalars[argument] = scalar;
        }
        ErrorRules rules(inner, loc);
        copyBody(rules, nullptr, scalars);
        SmallVector<Value> values, errors;
        for (auto [n, yielded] :
             llvm::enumerate(op.getBlock()->getTerminator()->getOperands())) {
          Bounded result = scalars.lookup(yielded);
          values.push_back(result.value);
          if (carry[n])
            errors.push_back(rules.wide.orZero(result.error));
          else if (result.error) {
            carry[n] = true;
            complete = false;
          }
        }
        values.append(errors);
        if (!complete) // Erased below; it only must not be malformed.
          values.resize(outs.size());
        linalg::YieldOp::create(inner, loc, values);
      });
  if (!complete) {
    written.erase();
    return std::nullopt;
  }
  SmallVector<Bounded> results;
  size_t next = op->getNumResults();
  for (unsigned n = 0; n < op->getNumResults(); ++n)
    results.push_back(
        {written.getResult(n), carry[n] ? written.getResult(next++) : Value()});
  return results;
}

/// Whether `tensor` is filled with zeros: sums start with their first term.
static bool isZero(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()) ||
                  matchPattern(fill.getInputs()[0], m_NegZeroFloat()));
}

/// A number off the grid leaves a trace that no error is as small as; 0 on it.
Value BoundedGeneric::offGrid(WideArithmetic &wide, Value value) {
  Value units = value;
  if (gridBits > 0)
    units = wide.mul(units, wide.constant(std::ldexp(1.0, gridBits)));
  Value rest = wide.abs(wide.sub(units, wide.create<math::RoundEvenOp>(units)));
  return wide.min(rest, wide.constant(1e-300));
}

Bounded BoundedGeneric::writeSum(Operation *combiner) {
  Location loc = op.getLoc();
  Inputs inputs = collectInputs();
  Bounded init = known.lookup(op.getOutputs()[0]);
  double terms = 1;
  for (auto [extent, kind] :
       llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      terms *= double(extent);

  Value errors = init.error ? init.error : zerosLike(builder, loc, init.value);
  Value magnitudes = zerosLike(builder, loc, init.value);
  if (!isZero(op.getOutputs()[0])) {
    ++terms;
    auto type = cast<RankedTensorType>(init.value.getType());
    AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
    SmallVector<AffineMap> identities(4, identity);
    auto start = linalg::GenericOp::create(
        builder, loc, TypeRange{type, type}, ValueRange{init.value, errors},
        ValueRange{magnitudes, emptyLike(builder, loc, init.value)}, identities,
        SmallVector<utils::IteratorType>(type.getRank(),
                                         utils::IteratorType::parallel),
        [&](OpBuilder &inner, Location loc, ValueRange arguments) {
          WideArithmetic wide(inner, loc);
          linalg::YieldOp::create(
              inner, loc,
              ValueRange{wide.add(wide.abs(arguments[0]), arguments[1]),
                         wide.add(arguments[1], offGrid(wide, arguments[0]))});
        });
    magnitudes = start.getResult(0);
    errors = start.getResult(1);
  }

  SmallVector<Value> outs{init.value, magnitudes, errors};
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<AffineMap> maps = inputs.maps;
  maps.append(outs.size(), outMap);
  Value accumulator = op.getRegionOutputArgs()[0];
  Value contribution = combiner->getOperand(0) == accumulator
                           ? combiner->getOperand(1)
                           : combiner->getOperand(0);
  auto sums = linalg::GenericOp::create(
      builder, loc, ValueRange(outs).getTypes(), inputs.values, outs, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        BoundedValues scalars = mapInputs(arguments);
        ErrorRules rules(inner, loc);
        WideArithmetic &wide = rules.wide;
        copyBody(rules, combiner, scalars);
        Bounded term = scalars.lookup(contribution);
        ValueRange sums = arguments.drop_front(inputs.values.size());
        Value sum = isa<arith::SubFOp>(combiner)
                        ? wide.sub(sums[0], term.value)
                        : wide.add(sums[0], term.value);
        Value magnitude = wide.abs(term.value);
        if (term.error)
          magnitude = wide.add(magnitude, term.error);
        Value error = wide.add(sums[2], offGrid(wide, term.value));
        if (term.error)
          error = wide.add(error, term.error);
        linalg::YieldOp::create(
            inner, loc, ValueRange{sum, wide.add(sums[1], magnitude), error});
      });
  return finishSum(combiner, sums.getResults(), terms);
}

Bounded BoundedGeneric::finishSum(Operation *combiner, ValueRange sums,
                                  double terms) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(sums[0].getType());
  Format format(combiner->getResult(0).getType());
  int precision = format.precision;
  // What is an integer of many bits in f64 may have been rounded to it.
  int exactBits = precision == 53 ? kExactBitsOfDoubles : precision;
  // A product is rounded before its term is added. In f64 the reference rounds,
  // too. Past the point where gamma makes sense,
  // n u itself: rounding to nearest never does worse.
  double nu = (terms + addsProducts) * format.unit * (precision == 53 ? 2 : 1);
  double gamma = nu < 0.5 ? nu / (1 - nu) : nu;
  double underflow = addsProducts ? terms * format.tiny : 0;
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<AffineMap> maps(4, identity);
  auto finished = linalg::GenericOp::create(
      builder, loc, TypeRange(type), sums,
      ValueRange(emptyLike(builder, loc, sums[0])), maps,
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        WideArithmetic wide(inner, loc);
        Value sum = arguments[0], magnitude = arguments[1],
              error = arguments[2];
        Value exact = wide.both(
            wide.compare(Predicate::OEQ, error, wide.constant(0)),
            wide.compare(Predicate::OLE, magnitude,
                         wide.constant(std::ldexp(1.0, exactBits - gridBits))));
        Value total = wide.add(wide.mul(error, wide.constant(1 + gamma)),
                               wide.mul(magnitude, wide.constant(gamma)));
        total = wide.select(exact, wide.constant(0),
                            wide.add(total, wide.constant(underflow)));
        // Partial sums may leave the type.
        Value over = wide.compare(Predicate::OGT, wide.add(magnitude, total),
                                  wide.constant(format.largest));
        total = wide.select(over, wide.infinity(), total);
        // Infinities and NaN among the terms: certain unless errors are
        // infinite, too.
        Value finite =
            wide.compare(Predicate::OEQ, wide.sub(sum, sum), wide.constant(0));
        Value open = wide.compare(Predicate::OEQ, error, wide.infinity());
        Value special = wide.select(open, wide.infinity(), wide.constant(0));
        total = wide.select(finite, total, special);
        linalg::YieldOp::create(inner, loc, wide.settle(total, sum));
      });
  return {sums[0], finished.getResult(0)};
}
