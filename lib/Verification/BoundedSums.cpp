//===- BoundedSums.cpp - sums with bounds in any order --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedReductions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <cfloat>

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

BoundedGeneric::Sums BoundedGeneric::startSum(Operation *combiner, bool wraps) {
  Location loc = op.getLoc();
  Bounded init = known.lookup(op.getOutputs()[0]);
  Sums starts;
  starts.errors = init.error ? init.error : zerosLike(builder, loc, init.value);
  if (std::optional<double> zero = zeroOf(op.getOutputs()[0])) {
    starts.positive = filledLike(builder, loc, init.value, *zero);
    starts.negative = starts.counts = zerosLike(builder, loc, init.value);
    starts.units = filledLike(builder, loc, init.value, INFINITY);
    if (wraps)
      starts.specials = starts.counts;
  } else {
    SmallVector<Value> empty(4 + wraps, emptyLike(builder, loc, init.value));
    auto start = elementwise(
        builder, loc, ValueRange{init.value, starts.errors}, empty,
        [&](OpBuilder &inner, Location loc, ValueRange arguments) {
          WideArithmetic wide(inner, loc);
          Value value = arguments[0];
          auto [positive, negative] = bySign(wide, value);
          Value magnitude = wide.add(wide.abs(value), arguments[1]);
          SmallVector<Value> yielded{positive, negative,
                                     countOf(wide, magnitude),
                                     unitOf(wide, value)};
          if (wraps)
            yielded.push_back(specialTerm(wide, value, isFinite(wide, value)));
          linalg::YieldOp::create(inner, loc, yielded);
        });
    starts.positive = start.getResult(0);
    starts.negative = start.getResult(1);
    starts.counts = start.getResult(2);
    starts.units = start.getResult(3);
    if (wraps)
      starts.specials = start.getResult(4);
  }
  if (paddedFactor(combiner) ||
      llvm::any_of(op->getOperands(), [&](Value operand) {
        return bool(known.lookup(operand).others);
      }))
    starts.others =
        init.others ? init.others : noneLike(builder, loc, init.value);
  return starts;
}

OpOperand *BoundedGeneric::paddedFactor(Operation *combiner) {
  auto product = termOf(combiner).getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != op.getBlock())
    return nullptr;
  for (OpOperand &factor : product->getOpOperands()) {
    Value read = factor.get();
    if (auto extension = read.getDefiningOp<arith::ExtFOp>())
      read = extension.getIn();
    auto argument = dyn_cast<BlockArgument>(read);
    if (!argument || argument.getOwner() != op.getBlock() ||
        argument.getArgNumber() >= unsigned(op.getNumDpsInputs()))
      continue;
    auto pad = op.getDpsInputs()[argument.getArgNumber()]
                   .getDefiningOp<tensor::PadOp>();
    Value padding = pad ? pad.getConstantPaddingValue() : Value();
    if (padding && matchPattern(padding, m_AnyZeroFloat()))
      return &factor;
  }
  return nullptr;
}

Bounded BoundedGeneric::withoutPadding(WideArithmetic &wide, Bounded term,
                                       Value factor) {
  Value omitted =
      wide.both(wide.compare(Predicate::OEQ, factor, wide.constant(0)),
                wide.isNaN(term.value));
  Value nan = wide.setWhere(omitted, NotANumber);
  term.value = wide.select(omitted, wide.constant(0), term.value);
  if (term.error)
    term.error = wide.select(omitted, wide.constant(0), term.error);
  if (term.others)
    term.others = wide.select(omitted, nan, term.others);
  else
    term.others = nan;
  return term;
}

Bounded BoundedGeneric::writeSum(Operation *combiner) {
  if (auto factors = exactFactors(combiner))
    return writeContraction(combiner, *factors);
  Location loc = op.getLoc();
  Inputs inputs = collectInputs();
  const bool wraps = Format(combiner->getResult(0).getType()).precision == 53;
  Sums starts = startSum(combiner, wraps);
  SmallVector<Value> outs = starts.all();
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<AffineMap> maps = inputs.maps;
  maps.append(outs.size(), outMap);
  Value contribution = termOf(combiner);
  auto sums = linalg::GenericOp::create(
      builder, loc, ValueRange(outs).getTypes(), inputs.values, outs, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        BoundedValues scalars = mapInputs(arguments);
        ErrorRules rules(inner, loc);
        WideArithmetic &wide = rules.wide;
        copyBody(rules, combiner, scalars);
        Bounded term = scalars.lookup(contribution);
        if (OpOperand *factor = paddedFactor(combiner))
          term =
              withoutPadding(wide, term, scalars.lookup(factor->get()).value);
        if (isa<arith::SubFOp>(combiner))
          term = rules.negated(term);
        Sums next = starts.with(arguments.drop_front(inputs.values.size()));
        auto [positive, negative] = bySign(wide, term.value);
        Value magnitude = wide.abs(term.value);
        if (term.error) {
          magnitude = wide.add(magnitude, term.error);
          next.errors = wide.add(next.errors, term.error);
        }
        next.positive = wide.add(next.positive, positive);
        next.negative = wide.add(next.negative, negative);
        next.counts = wide.add(next.counts, countOf(wide, magnitude));
        next.units = wide.min(next.units, unitOf(wide, term.value));
        if (wraps)
          next.specials =
              wide.add(next.specials, specialTerm(wide, term.value,
                                                  isFinite(wide, term.value)));
        if (starts.others)
          next.others = wide.join(next.others, term.others);
        linalg::YieldOp::create(inner, loc, next.all());
      });
  // What the sum starts with is a term as well.
  double terms = numTerms() + !zeroOf(op.getOutputs()[0]);
  return finishSum(combiner, starts.with(sums.getResults()), terms);
}

SmallVector<Value> BoundedGeneric::Sums::all() const {
  SmallVector<Value> values{positive, negative, errors, counts, units};
  for (Value value : {specials, others})
    if (value)
      values.push_back(value);
  return values;
}

BoundedGeneric::Sums BoundedGeneric::Sums::with(ValueRange values) const {
  Sums sums{values[0], values[1], values[2], values[3], values[4]};
  if (specials)
    sums.specials = values[5];
  if (others)
    sums.others = values.back();
  return sums;
}

double BoundedGeneric::leastNumber(const Format &format) const {
  return multipliesHalves ? double(FLT_MIN) : format.tiny;
}

Bounded BoundedGeneric::finishSum(Operation *combiner, const Sums &sums,
                                  double terms) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(sums.positive.getType());
  Format format(combiner->getResult(0).getType());
  int precision = format.precision;
  // In f64, a multiple of a power of two by a large number may have been
  // rounded.
  int exactBits = precision == 53 ? kExactBitsOfDoubles : precision;
  // A product is rounded before it is added. In f64 the reference rounds as
  // well. If n u is too large for gamma to be meaningful, use n u itself, which
  // is a bound for rounding to nearest.
  double unit = format.unit * (precision == 53 ? 2 : 1);
  double least = leastNumber(format);
  // Where subnormal numbers become zero, a step may lose an operand and its
  // result.
  double underflow = multipliesHalves ? 2 * terms * least
                     : addsProducts   ? terms * least
                                      : 0;
  SmallVector<Value> inputs = sums.all();
  SmallVector<Value> outs(2, emptyLike(builder, loc, sums.positive));
  outs.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                         builder.getI8Type()));
  auto finished = elementwise(
      builder, loc, inputs, outs,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        WideArithmetic wide(inner, loc);
        Sums all = sums.with(arguments.take_front(inputs.size()));
        auto [value, error, others] =
            finishElement(wide, all, format, exactBits, unit, underflow);
        linalg::YieldOp::create(inner, loc, ValueRange{value, error, others});
      });
  return {finished.getResult(0), finished.getResult(1), finished.getResult(2)};
}

Bounded BoundedGeneric::finishElement(WideArithmetic &wide, const Sums &sums,
                                      const Format &format, int exactBits,
                                      double unit, double underflow) {
  Value error = sums.errors;
  Value sum = wide.sub(sums.positive, sums.negative);
  Value magnitude = wide.add(wide.add(sums.positive, sums.negative), error);
  Value exact = wide.both(wide.compare(Predicate::OEQ, error, wide.constant(0)),
                          wide.compare(Predicate::OGE, sums.units,
                                       wide.constant(leastNumber(format))));
  exact = wide.both(
      exact, wide.compare(Predicate::OLE, magnitude,
                          wide.mul(sums.units,
                                   wide.constant(std::ldexp(1.0, exactBits)))));
  Value count = wide.add(sums.counts, wide.constant(addsProducts));
  // Tensor cores cut every term but the largest of a group to the 24 bits of
  // that one, and the result towards zero: k + 2 units for k products and the
  // accumulator, which is at most 3 k. With accumulators of f16 a group is
  // rounded once, which is one unit for each product at most. In addition all
  // groups cut n 2^-24 of the largest partial sum. This is less than the unit
  // of the product's rounding, which no product of a group has.
  if (multipliesHalves)
    count = wide.mul(count, wide.constant(3));
  Value nu = wide.mul(count, wide.constant(unit));
  Value gamma =
      wide.select(wide.compare(Predicate::OLT, nu, wide.constant(0.5)),
                  wide.div(nu, wide.sub(wide.constant(1), nu)), nu);
  // The error of a sum of terms with the given sum of magnitudes.
  auto errorOf = [&](Value magnitude) {
    Value total =
        wide.add(wide.add(error, wide.mul(gamma, wide.add(error, magnitude))),
                 wide.constant(underflow));
    return wide.select(exact, wide.constant(0), total);
  };
  Value total = errorOf(magnitude);

  // Partial sums may leave the range of the type. The largest one has only
  // terms that are not negative: rounding is monotone, so negative terms do not
  // make it larger.
  auto overflows = [&](Value part) {
    Value most = wide.add(part, errorOf(wide.add(part, error)));
    return wide.compare(Predicate::UGT, most, wide.constant(format.largest));
  };
  Value plus = overflows(sums.positive), minus = overflows(sums.negative);
  Value special = sums.specials ? sums.specials : sum;
  Value none = sums.specials
                   ? wide.compare(Predicate::OEQ, special, wide.constant(0))
                   : isFinite(wide, sum);
  // Without infinities and NaN among the terms: the sum, or an infinity if it
  // is certainly beyond the range, and what partial sums overflow to.
  Value certain = wide.compare(Predicate::OGT, wide.sub(wide.abs(sum), total),
                               wide.constant(format.largest));
  Value value = wide.select(
      certain, wide.create<math::CopySignOp>(wide.infinity(), sum), sum);
  total = wide.select(certain, wide.constant(0), total);
  if (sums.specials) // In f64, the sum itself may have overflowed here.
    total = wide.select(isFinite(wide, sum), total, wide.infinity());
  Value others = wide.join(wide.setWhere(plus, PlusInfinity),
                           wide.setWhere(minus, MinusInfinity));
  // With an infinity among the terms: the infinity, or NaN if other terms can
  // overflow to the opposite one.
  value = wide.select(none, value, special);
  Value open = wide.compare(Predicate::OEQ, error, wide.infinity());
  total = wide.select(none, total,
                      wide.select(open, wide.infinity(), wide.constant(0)));
  others = wide.select(none, others, wide.set(0));
  // Terms may be other infinities or NaN.
  Value isPlus = wide.compare(Predicate::OEQ, special, wide.infinity());
  Value isMinus =
      wide.compare(Predicate::OEQ, special, wide.constant(-INFINITY));
  plus = wide.create<arith::OrIOp>(plus, isPlus);
  minus = wide.create<arith::OrIOp>(minus, isMinus);
  if (sums.others) {
    others = wide.join(others, sums.others);
    plus = wide.create<arith::OrIOp>(plus,
                                     wide.contains(sums.others, PlusInfinity));
    minus = wide.create<arith::OrIOp>(
        minus, wide.contains(sums.others, MinusInfinity));
  }
  others = wide.join(others, wide.setWhere(wide.both(plus, minus), NotANumber));
  total = wide.settle(total, value);
  // Nothing is added to the value itself, nor where it may be anything.
  Value any = wide.compare(Predicate::OEQ, total, wide.infinity());
  others = wide.select(any, wide.set(0), others);
  return {value, total, others};
}
