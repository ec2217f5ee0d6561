//===- BoundedGeneric.cpp - linalg ops with bounds ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedGeneric.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

SmallVector<Bounded> BoundedGeneric::write() {
  if (Operation *combiner = sumCombiner())
    return {writeSum(combiner)};
  SmallVector<bool> carry;
  for (Value init : op.getOutputs())
    carry.push_back(bool(known.lookup(init).error));
  // Each round adds an error to at least one more result.
  std::optional<SmallVector<Bounded>> results;
  while (!results)
    results = writeBody(carry);
  if (Operation *combiner = productCombiner())
    results->front() = inAnyOrder(combiner, results->front());
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

/// An element of a tensor from outside; if its position is uncertain, it may be
/// any value.
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
/// do, without a determined rounding. The errors of such products follow from
/// the sum of their magnitudes.
static bool isExactProduct(Operation *op, Operation *combiner,
                           ArrayRef<Bounded> operands) {
  return !ErrorRules::isDetermined(op) && !isa<arith::MulFOp>(combiner) &&
         isa<arith::MulFOp>(op) && op->hasOneUse() &&
         *op->user_begin() == combiner && !operands[0].error &&
         !operands[1].error;
}

void BoundedGeneric::copyBody(ErrorRules &rules, Operation *combiner,
                              BoundedValues &scalars) {
  Operation *anyOrder = productCombiner();
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
    scalars[inner.getResult(0)] =
        isa<tensor::ExtractOp>(inner)
            ? extract(rules, &inner, operands)
            : rules.apply(&inner, operands, &inner == anyOrder);
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
        if (!complete) // Erased below; it must only be well-formed.
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
