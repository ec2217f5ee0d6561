//===- BoundedGeneric.cpp - linalg ops with bounds ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedGeneric.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <cfloat>

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

SmallVector<Bounded> BoundedGeneric::write() {
  if (Operation *combiner = sumCombiner())
    return {writeSum(combiner)};
  if (op.getNumReductionLoops() > 0)
    openOperands();
  // Whether results have errors, then whether they have other values.
  SmallVector<bool> carry;
  for (Value init : op.getOutputs())
    carry.push_back(bool(known.lookup(init).error));
  for (Value init : op.getOutputs())
    carry.push_back(bool(known.lookup(init).others));
  // Each round adds one of them to at least one more result.
  std::optional<SmallVector<Bounded>> results;
  while (!results)
    results = writeBody(carry);
  if (Operation *combiner = productCombiner())
    results->front() = inAnyOrder(combiner, results->front());
  return *results;
}

BoundedGeneric::Inputs BoundedGeneric::collectInputs() {
  Inputs inputs;
  for (Value Bounded::*part :
       {&Bounded::value, &Bounded::error, &Bounded::others})
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Value value = known.lookup(operand->get()).*part;
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
  for (OpOperand *operand : op.getDpsInputOperands())
    scalars[op.getMatchingBlockArgument(operand)] = {
        arguments[operand->getOperandNumber()], {}};
  for (Value Bounded::*part : {&Bounded::error, &Bounded::others})
    for (OpOperand *operand : op.getDpsInputOperands())
      if (known.lookup(operand->get()).*part)
        scalars[op.getMatchingBlockArgument(operand)].*part = arguments[next++];
  return scalars;
}

void BoundedGeneric::openOperands() {
  for (Value operand : op->getOperands()) {
    Bounded bounded = known.lookup(operand);
    if (!bounded.others)
      continue;
    auto type = cast<RankedTensorType>(bounded.value.getType())
                    .clone(builder.getF64Type());
    AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
    SmallVector<Value> inputs{bounded.value, bounded.others};
    if (bounded.error)
      inputs.push_back(bounded.error);
    Value empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                          type.getElementType());
    auto opened = linalg::GenericOp::create(
        builder, op.getLoc(), TypeRange(type), inputs, ValueRange(empty),
        SmallVector<AffineMap>(inputs.size() + 1, identity),
        SmallVector<utils::IteratorType>(type.getRank(),
                                         utils::IteratorType::parallel),
        [&](OpBuilder &inner, Location loc, ValueRange arguments) {
          WideArithmetic wide(inner, loc);
          Bounded element{arguments[0], bounded.error ? arguments[2] : Value(),
                          arguments[1]};
          linalg::YieldOp::create(inner, loc, openOthers(wide, element).error);
        });
    known[operand] = {bounded.value, opened.getResult(0)};
  }
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
  if (operands[0].others)
    element.others =
        rules.wide.create<tensor::ExtractOp>(operands[0].others, indices);
  if (open) {
    Value certain =
        rules.wide.compare(Predicate::OEQ, open, rules.wide.constant(0));
    element.error = rules.wide.select(certain, rules.wide.orZero(element.error),
                                      rules.wide.infinity());
  }
  return element;
}

/// Whether `op` is a product for `combiner` to add, as in contractions, without
/// a determined rounding.
static bool isFusibleProduct(Operation *op, Operation *combiner) {
  return !ErrorRules::isDetermined(op) && !isa<arith::MulFOp>(combiner) &&
         isa<arith::MulFOp>(op) && op->hasOneUse() &&
         *op->user_begin() == combiner;
}

/// Whether the factors of such a product are exact. Errors of the products then
/// follow from the sum of their magnitudes. In f64, a product may overflow in
/// the reference, too.
static bool isExactProduct(Operation *op, Operation *combiner,
                           ArrayRef<Bounded> operands) {
  return isFusibleProduct(op, combiner) && isExact(operands) &&
         !op->getResult(0).getType().isF64() && !operands[0].others &&
         !operands[1].others;
}

/// Whether all operands of `op`, which computes in f32, are extended from
/// `Element`.
template <typename Element> static bool extendsFrom(Operation *op) {
  return op->getNumResults() == 1 && op->getResult(0).getType().isF32() &&
         llvm::all_of(op->getOperands(), [](Value factor) {
           auto extension = factor.getDefiningOp<arith::ExtFOp>();
           return extension && isa<Element>(extension.getIn().getType());
         });
}

/// Whether `op` multiplies numbers of one type of 16 bits, or of tf32, in f32.
/// Instructions for sums of such products take subnormal numbers of f32, and so
/// of bf16, as zero, and tensor cores cut small terms.
static bool isProductOfHalves(Operation *op) {
  return extendsFrom<BFloat16Type>(op) || extendsFrom<Float16Type>(op) ||
         extendsFrom<FloatTF32Type>(op);
}

/// Whether `op` reads a sum of products of bf16.
static bool followsBrainFloatProducts(linalg::GenericOp op) {
  return llvm::any_of(op.getInputs(), [](Value input) {
    auto sum = input.getDefiningOp<linalg::LinalgOp>();
    return sum && sum.getNumReductionLoops() != 0 &&
           llvm::any_of(*sum.getBlock(), [](Operation &inner) {
             return isa<arith::MulFOp>(inner) &&
                    extendsFrom<BFloat16Type>(&inner);
           });
  });
}

void BoundedGeneric::flushResult(ErrorRules &rules, Operation *op,
                                 Bounded &result) {
  if (!isa<arith::TruncFOp>(op) || !op->getResult(0).getType().isBF16() ||
      !followsBrainFloatProducts(this->op))
    return;
  WideArithmetic &wide = rules.wide;
  Value least = wide.constant(double(FLT_MIN));
  Value magnitude = wide.abs(result.value);
  if (result.error)
    magnitude = wide.sub(magnitude, result.error);
  Value error = wide.select(wide.compare(Predicate::OLT, magnitude, least),
                            least, wide.constant(0));
  result.error = result.error ? wide.add(result.error, error) : error;
}

/// The share `part` of `product`, where one of the factors is below `least` and
/// not zero. A product with zero loses nothing, also if it is NaN here because
/// the other factor may be infinite.
static Value shareOfSmall(WideArithmetic &wide, ArrayRef<Bounded> factors,
                          const Bounded &product, double least, double part) {
  auto isSmall = [&](Value factor) {
    Value size = wide.abs(factor);
    return wide.both(wide.compare(Predicate::OLT, size, wide.constant(least)),
                     wide.compare(Predicate::OGT, size, wide.constant(0)));
  };
  Value small = wide.create<arith::OrIOp>(isSmall(factors[0].value),
                                          isSmall(factors[1].value));
  return wide.select(small,
                     wide.mul(wide.abs(product.value), wide.constant(part)),
                     wide.constant(0));
}

/// Whether `op` multiplies numbers of f16, and the product need not be rounded.
static bool isHalfProduct(Operation *op) {
  return op->getResult(0).getType().isF16() && !ErrorRules::isDetermined(op);
}

/// Whether `op` multiplies numbers that are extended from f16.
static bool extendsHalves(Operation *op) {
  auto extension = op->getOperand(0).getDefiningOp<arith::ExtFOp>();
  return extension && extension.getIn().getType().isF16();
}

void BoundedGeneric::loseSubnormals(ErrorRules &rules, Operation *op,
                                    ArrayRef<Bounded> factors,
                                    Bounded &product) {
  WideArithmetic &wide = rules.wide;
  Value error = wide.constant(0);
  if (isProductOfHalves(op)) {
    multipliesHalves = true;
    // Instructions take subnormal numbers of f32 as zero.
    error = shareOfSmall(wide, factors, product, FLT_MIN, 1);
  } else if (!isHalfProduct(op)) {
    return;
  }
  // Tensor cores shift the terms of a sum to the largest exponent, and that of
  // a subnormal f16 is -14. Each of up to 16 other terms then loses up to 2^-24
  // of a product of 2^-14 or more by the other factor. The smallest subnormal
  // number is 2^-24, so this is less than 2^-9 of the product.
  if (isHalfProduct(op) || extendsHalves(op))
    error =
        wide.add(error, shareOfSmall(wide, factors, product, 0x1p-14, 0x1p-9));
  product.error = product.error ? wide.add(product.error, error) : error;
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
      Bounded &product = scalars[inner.getResult(0)];
      product = {rules.wide.mul(operands[0].value, operands[1].value), {}};
      addsProducts = true;
      loseSubnormals(rules, &inner, operands, product);
      continue;
    }
    scalars[inner.getResult(0)] =
        isa<tensor::ExtractOp>(inner) ? extract(rules, &inner, operands)
        : combiner && isFusibleProduct(&inner, combiner)
            ? rules.fusibleProduct(&inner, operands)
            : rules.apply(&inner, operands, &inner == anyOrder);
    if (combiner && isFusibleProduct(&inner, combiner))
      loseSubnormals(rules, &inner, operands, scalars[inner.getResult(0)]);
    flushResult(rules, &inner, scalars[inner.getResult(0)]);
  }
}

std::optional<SmallVector<Bounded>>
BoundedGeneric::writeBody(SmallVectorImpl<bool> &carry) {
  Location loc = op.getLoc();
  Inputs inputs = collectInputs();
  const unsigned count = op->getNumResults();
  SmallVector<Value> outs;
  SmallVector<AffineMap> maps = inputs.maps;
  auto addOut = [&](unsigned n, Value value) {
    outs.push_back(value);
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(n)));
  };
  for (auto [n, init] : llvm::enumerate(op.getOutputs()))
    addOut(n, known.lookup(init).value);
  for (auto [n, init] : llvm::enumerate(op.getOutputs()))
    if (Bounded bounded = known.lookup(init); carry[n])
      addOut(n, bounded.error ? bounded.error
                              : zerosLike(builder, loc, bounded.value));
  for (auto [n, init] : llvm::enumerate(op.getOutputs()))
    if (Bounded bounded = known.lookup(init); carry[count + n])
      addOut(n, bounded.others ? bounded.others
                               : noneLike(builder, loc, bounded.value));
  // The results of the written op, or its accumulators, as those of `op`.
  auto collect = [&](ValueRange values) {
    SmallVector<Bounded> results;
    for (unsigned n = 0; n < count; ++n)
      results.push_back({values[n], {}});
    size_t next = count;
    for (unsigned n = 0; n < count; ++n)
      if (carry[n])
        results[n].error = values[next++];
    for (unsigned n = 0; n < count; ++n)
      if (carry[count + n])
        results[n].others = values[next++];
    return results;
  };
  bool complete = true;
  auto written = linalg::GenericOp::create(
      builder, loc, ValueRange(outs).getTypes(), inputs.values, outs, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        BoundedValues scalars = mapInputs(arguments);
        for (auto [argument, scalar] :
             llvm::zip(op.getRegionOutputArgs(),
                       collect(arguments.drop_front(inputs.values.size()))))
          scalars[argument] = scalar;
        ErrorRules rules(inner, loc);
        copyBody(rules, nullptr, scalars);
        SmallVector<Value> values, errors, others;
        for (auto [n, yielded] :
             llvm::enumerate(op.getBlock()->getTerminator()->getOperands())) {
          Bounded result = scalars.lookup(yielded);
          values.push_back(result.value);
          if (carry[n])
            errors.push_back(rules.wide.orZero(result.error));
          if (carry[count + n])
            others.push_back(result.others ? result.others : rules.wide.set(0));
          complete &= (carry[n] || !result.error) &&
                      (carry[count + n] || !result.others);
          carry[n] |= bool(result.error);
          carry[count + n] |= bool(result.others);
        }
        values.append(errors);
        values.append(others);
        linalg::YieldOp::create(inner, loc, values);
      });
  if (!complete) {
    written.erase();
    return std::nullopt;
  }
  return collect(written.getResults());
}
