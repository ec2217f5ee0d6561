//===- BoundedReductions.cpp - sums and products with bounds --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedGeneric.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <cfloat>

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

static Value emptyLike(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 builder.getF64Type());
}

static Value filledLike(OpBuilder &builder, Location loc, Value like,
                        double value) {
  Value scalar =
      arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value));
  return linalg::FillOp::create(builder, loc, scalar,
                                emptyLike(builder, loc, like))
      .getResult(0);
}

Value pruner::noneLike(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        builder.getI8Type());
  Value none =
      arith::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(0));
  return linalg::FillOp::create(builder, loc, none, empty).getResult(0);
}

Value pruner::zerosLike(OpBuilder &builder, Location loc, Value like) {
  return filledLike(builder, loc, like, 0);
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

Operation *BoundedGeneric::combiner() {
  if (op.getNumReductionLoops() == 0 || op->getNumResults() != 1)
    return nullptr;
  Value accumulator = op.getRegionOutputArgs()[0];
  Operation *last =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::SubFOp, arith::MulFOp>(last) ||
      last->getBlock() != op.getBlock() || !accumulator.hasOneUse())
    return nullptr;
  bool first = last->getOperand(0) == accumulator;
  bool second = !isa<arith::SubFOp>(last) && last->getOperand(1) == accumulator;
  if (!first && !second)
    return nullptr;
  return dependsOn(last->getOperand(first ? 1 : 0), accumulator) ? nullptr
                                                                 : last;
}

Operation *BoundedGeneric::sumCombiner() {
  Operation *found = combiner();
  return isa_and_nonnull<arith::AddFOp, arith::SubFOp>(found) ? found : nullptr;
}

Operation *BoundedGeneric::productCombiner() {
  Operation *found = combiner();
  return isa_and_nonnull<arith::MulFOp>(found) ? found : nullptr;
}

Value BoundedGeneric::termOf(Operation *combiner) {
  bool first = combiner->getOperand(0) == op.getRegionOutputArgs()[0];
  return combiner->getOperand(first ? 1 : 0);
}

double BoundedGeneric::numTerms() {
  double terms = 1;
  for (auto [extent, kind] :
       llvm::zip(op.getStaticLoopRanges(), op.getIteratorTypesArray()))
    if (kind == utils::IteratorType::reduction)
      terms *= double(extent);
  return terms;
}

/// The zero that `tensor` is filled with, so that sums start with their first
/// term; or nothing.
static std::optional<double> zeroOf(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return std::nullopt;
  if (matchPattern(fill.getInputs()[0], m_NegZeroFloat()))
    return -0.0;
  if (matchPattern(fill.getInputs()[0], m_AnyZeroFloat()))
    return 0.0;
  return std::nullopt;
}

/// What `term` adds to the sums of the terms that are not negative and of the
/// magnitudes of the others. Zeros keep their sign, and NaN is in the first.
static std::array<Value, 2> bySign(WideArithmetic &wide, Value term) {
  Value negative = wide.compare(Predicate::OLT, term, wide.constant(0));
  return {wide.select(negative, wide.constant(-0.0), term),
          wide.where(negative, wide.sub(wide.constant(0), term))};
}

/// Infinities and NaN among the terms of a sum; 0 for others.
static Value specialTerm(WideArithmetic &wide, Value term, Value isFinite) {
  return wide.select(isFinite, wide.constant(0), term);
}

static Value isFinite(WideArithmetic &wide, Value value) {
  return wide.compare(Predicate::OLT, wide.abs(value), wide.infinity());
}

/// The largest power of two of which `value` is a multiple; infinity for 0, NaN
/// for values that are not finite.
static Value unitOf(WideArithmetic &wide, Value value) {
  Type words = wide.builder.getI64Type();
  auto integer = [&](int64_t word) {
    return wide.create<arith::ConstantOp>(wide.builder.getI64IntegerAttr(word));
  };
  Value size = wide.abs(value);
  Value bits = wide.create<arith::BitcastOp>(words, size);
  // Clear the lowest set bit. The significand of a power of two has none.
  Value rest = wide.create<arith::AndIOp>(
      bits, wide.create<arith::SubIOp>(bits, integer(1)));
  Value significand =
      wide.create<arith::AndIOp>(bits, integer((int64_t(1) << 52) - 1));
  Value power = wide.create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                           significand, integer(0));
  rest = wide.create<arith::BitcastOp>(wide.type(), rest);
  Value unit = wide.select(power, size, wide.sub(size, rest));
  Value none = wide.compare(Predicate::OEQ, size, wide.constant(0));
  return wide.select(none, wide.infinity(), unit);
}

/// 1, or 0 for a zero. Adding these is exact.
static Value countOf(WideArithmetic &wide, Value magnitude) {
  Value counts = wide.compare(Predicate::UGT, magnitude, wide.constant(0));
  return wide.select(counts, wide.constant(1), wide.constant(0));
}

std::optional<std::array<OpOperand *, 2>>
BoundedGeneric::exactFactors(Operation *combiner) {
  auto product = termOf(combiner).getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != op.getBlock() ||
      !product->hasOneUse() || !zeroOf(op.getOutputs()[0]) ||
      // Tensor cores may multiply these, which cuts terms beside small ones.
      (product.getType().isF16() && !ErrorRules::isDetermined(product)) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
           .isProjectedPermutation())
    return std::nullopt;
  std::array<OpOperand *, 2> factors;
  for (auto [factor, value] : llvm::zip(factors, product->getOperands())) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != op.getBlock() ||
        argument.getArgNumber() >= unsigned(op.getNumDpsInputs()))
      return std::nullopt;
    factor = op.getDpsInputOperand(argument.getArgNumber());
    AffineMap map = op.getMatchingIndexingMap(factor);
    if (known.lookup(factor->get()).error ||
        llvm::all_of(llvm::seq(op.getNumLoops()),
                     [&](unsigned loop) { return map.isFunctionOfDim(loop); }))
      return std::nullopt;
  }
  return factors;
}

BoundedGeneric::FactorTerms
BoundedGeneric::writeFactorTerms(OpOperand *factor) {
  Location loc = op.getLoc();
  AffineMap map = op.getMatchingIndexingMap(factor);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  // The loops that the factor has; for the others, the number of repetitions.
  SmallVector<AffineExpr> place(op.getNumLoops(),
                                builder.getAffineConstantExpr(0));
  SmallVector<utils::IteratorType> iterators;
  SmallVector<AffineExpr> results, sums, resultLoops;
  SmallVector<int64_t> shape, sumExtents;
  double repeats = 1;
  for (auto [loop, extent, kind] :
       llvm::enumerate(extents, op.getIteratorTypesArray())) {
    bool reduced = kind == utils::IteratorType::reduction;
    if (!map.isFunctionOfDim(loop)) {
      repeats *= reduced ? double(extent) : 1;
      continue;
    }
    place[loop] = builder.getAffineDimExpr(iterators.size());
    iterators.push_back(kind);
    (reduced ? sums : results).push_back(place[loop]);
    (reduced ? sumExtents : shape).push_back(extent);
    if (!reduced)
      resultLoops.push_back(builder.getAffineDimExpr(loop));
  }
  unsigned loops = iterators.size();
  MLIRContext *context = builder.getContext();
  auto mapTo = [&](ArrayRef<AffineExpr> to) {
    return AffineMap::get(loops, 0, to, context);
  };
  auto empty = [&](ArrayRef<int64_t> of) -> Value {
    return tensor::EmptyOp::create(builder, loc, of, builder.getF64Type());
  };
  Value like = empty(shape);
  SmallVector<Value> starts{zerosLike(builder, loc, like),
                            filledLike(builder, loc, like, INFINITY)};
  // Windows do not determine the extents of their loops, so an additional
  // tensor does, which is not read.
  auto terms = linalg::GenericOp::create(
      builder, loc, ValueRange(starts).getTypes(),
      ValueRange{known.lookup(factor->get()).value, empty(sumExtents)}, starts,
      ArrayRef{map.replaceDimsAndSymbols(place, {}, loops, 0), mapTo(sums),
               mapTo(results), mapTo(results)},
      iterators, [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        WideArithmetic wide(inner, loc);
        Value counts = wide.mul(countOf(wide, wide.abs(arguments[0])),
                                wide.constant(repeats));
        linalg::YieldOp::create(
            inner, loc,
            ValueRange{wide.add(arguments[2], counts),
                       wide.min(arguments[3], unitOf(wide, arguments[0]))});
      });
  // From the loops of the results to those that the factor has.
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<AffineExpr> ofResult;
  for (AffineExpr loop : resultLoops)
    ofResult.push_back(builder.getAffineDimExpr(*out.getResultPosition(loop)));
  return {terms.getResult(0), terms.getResult(1),
          AffineMap::get(out.getNumResults(), 0, ofResult, context)};
}

Bounded BoundedGeneric::writeContraction(Operation *combiner,
                                         ArrayRef<OpOperand *> factors) {
  Location loc = op.getLoc();
  Operation *product = termOf(combiner).getDefiningOp();
  // Otherwise it may be fused with the sum.
  const bool isRounded = ErrorRules::isDetermined(product);
  addsProducts = !isRounded;
  const bool wraps = Format(combiner->getResult(0).getType()).precision == 53;
  Value init = known.lookup(op.getOutputs()[0]).value;
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<Value> outs{
      filledLike(builder, loc, init, *zeroOf(op.getOutputs()[0])),
      zerosLike(builder, loc, init)};
  if (wraps)
    outs.push_back(zerosLike(builder, loc, init));
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *factor : factors) {
    inputs.push_back(known.lookup(factor->get()).value);
    maps.push_back(op.getMatchingIndexingMap(factor));
  }
  maps.append(outs.size(), outMap);
  auto sums = linalg::GenericOp::create(
      builder, loc, ValueRange(outs).getTypes(), inputs, outs, maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        ErrorRules rules(inner, loc);
        WideArithmetic &wide = rules.wide;
        Value term = wide.mul(arguments[0], arguments[1]);
        if (isRounded)
          term = rules.nearest(term, Format(product->getResult(0).getType()));
        if (isa<arith::SubFOp>(combiner))
          term = wide.create<arith::NegFOp>(term);
        auto [positive, negative] = bySign(wide, term);
        SmallVector<Value> yielded{wide.add(arguments[2], positive),
                                   wide.add(arguments[3], negative)};
        if (wraps) {
          Value finite = wide.both(isFinite(wide, arguments[0]),
                                   isFinite(wide, arguments[1]));
          yielded.push_back(
              wide.add(arguments[4], specialTerm(wide, term, finite)));
        }
        linalg::YieldOp::create(inner, loc, yielded);
      });
  // A term is zero if either factor is, and a multiple of the product of the
  // powers of two of its factors. This also holds after rounding, which only
  // makes the power larger.
  FactorTerms a = writeFactorTerms(factors[0]),
              b = writeFactorTerms(factors[1]);
  auto type = cast<RankedTensorType>(init.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  Value empty = emptyLike(builder, loc, init);
  auto terms = linalg::GenericOp::create(
      builder, loc, TypeRange{empty.getType(), empty.getType()},
      ValueRange{a.counts, b.counts, a.units, b.units},
      ValueRange{empty, empty},
      ArrayRef{a.map, b.map, a.map, b.map, identity, identity},
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        WideArithmetic wide(inner, loc);
        linalg::YieldOp::create(
            inner, loc,
            ValueRange{wide.min(arguments[0], arguments[1]),
                       wide.mul(arguments[2], arguments[3])});
      });
  Sums finished{sums.getResult(0), sums.getResult(1),
                zerosLike(builder, loc, init), terms.getResult(0),
                terms.getResult(1)};
  if (wraps)
    finished.specials = sums.getResult(2);
  return finishSum(combiner, finished, numTerms());
}

Bounded BoundedGeneric::writeSum(Operation *combiner) {
  if (auto factors = exactFactors(combiner))
    return writeContraction(combiner, *factors);
  Location loc = op.getLoc();
  Inputs inputs = collectInputs();
  Bounded init = known.lookup(op.getOutputs()[0]);
  const bool wraps = Format(combiner->getResult(0).getType()).precision == 53;
  const bool hasOthers = llvm::any_of(op->getOperands(), [&](Value operand) {
    return bool(known.lookup(operand).others);
  });
  double terms = numTerms();
  Sums starts;
  starts.errors = init.error ? init.error : zerosLike(builder, loc, init.value);
  if (std::optional<double> zero = zeroOf(op.getOutputs()[0])) {
    starts.positive = filledLike(builder, loc, init.value, *zero);
    starts.negative = starts.counts = zerosLike(builder, loc, init.value);
    starts.units = filledLike(builder, loc, init.value, INFINITY);
    if (wraps)
      starts.specials = starts.counts;
  } else {
    ++terms;
    auto type = cast<RankedTensorType>(init.value.getType());
    AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
    SmallVector<Value> empty(4 + wraps, emptyLike(builder, loc, init.value));
    auto start = linalg::GenericOp::create(
        builder, loc, ValueRange(empty).getTypes(),
        ValueRange{init.value, starts.errors}, empty,
        SmallVector<AffineMap>(2 + empty.size(), identity),
        SmallVector<utils::IteratorType>(type.getRank(),
                                         utils::IteratorType::parallel),
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
  if (hasOthers)
    starts.others =
        init.others ? init.others : noneLike(builder, loc, init.value);

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
        if (hasOthers)
          next.others = wide.join(next.others, term.others);
        linalg::YieldOp::create(inner, loc, next.all());
      });
  return finishSum(combiner, starts.with(sums.getResults()), terms);
}

Bounded BoundedGeneric::inAnyOrder(Operation *combiner, Bounded product) {
  Location loc = op.getLoc();
  Inputs inputs = collectInputs();
  Format format(combiner->getResult(0).getType());
  auto type = cast<RankedTensorType>(product.value.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  // The largest and the smallest partial product: those of all factors above 1,
  // and of all below. Zeros are not counted.
  auto widen = [](WideArithmetic &wide, ValueRange extremes, Value factor,
                  Value error) -> SmallVector<Value> {
    Value size = wide.abs(factor), one = wide.constant(1);
    Value none = wide.compare(Predicate::OEQ, size, wide.constant(0));
    Value finite = wide.compare(Predicate::OLT, size, wide.infinity());
    Value above = error ? wide.add(size, error) : size;
    Value below = error ? wide.sub(size, error) : size;
    above = wide.select(finite, wide.max(above, one), one);
    below = wide.select(none, one, wide.min(below, one));
    return {wide.mul(extremes[0], above), wide.mul(extremes[1], below)};
  };
  Value ones = filledLike(builder, loc, product.value, 1);
  Bounded init = known.lookup(op.getOutputs()[0]);
  SmallVector<Value> starts{init.value};
  if (init.error)
    starts.push_back(init.error);
  auto start = linalg::GenericOp::create(
      builder, loc, TypeRange{type, type}, starts, ValueRange{ones, ones},
      SmallVector<AffineMap>(starts.size() + 2, identity), parallel,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        WideArithmetic wide(inner, loc);
        linalg::YieldOp::create(inner, loc,
                                widen(wide, arguments.take_back(2),
                                      arguments[0],
                                      init.error ? arguments[1] : Value()));
      });
  SmallVector<AffineMap> maps = inputs.maps;
  maps.append(2, op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  auto extremes = linalg::GenericOp::create(
      builder, loc, TypeRange{type, type}, inputs.values, start.getResults(),
      maps, op.getIteratorTypesArray(),
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        BoundedValues scalars = mapInputs(arguments);
        ErrorRules rules(inner, loc);
        copyBody(rules, combiner, scalars);
        Bounded factor = scalars.lookup(termOf(combiner));
        linalg::YieldOp::create(inner, loc,
                                widen(rules.wide, arguments.take_back(2),
                                      factor.value, factor.error));
      });
  double terms = numTerms() + 1;
  double gamma = terms * format.unit * (format.precision == 53 ? 2 : 1);
  if (gamma < 0.5)
    gamma /= 1 - gamma;
  SmallVector<Value> finished{extremes.getResult(0), extremes.getResult(1),
                              product.value};
  if (product.error)
    finished.push_back(product.error);
  SmallVector<Value> outs{emptyLike(builder, loc, product.value),
                          noneLike(builder, loc, product.value)};
  auto errors = linalg::GenericOp::create(
      builder, loc, ValueRange(outs).getTypes(), finished, outs,
      SmallVector<AffineMap>(finished.size() + outs.size(), identity), parallel,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        WideArithmetic wide(inner, loc);
        Value largest = arguments[0], smallest = arguments[1];
        Value error = product.error ? arguments[3] : wide.constant(0);
        // If one product was rounded, all may be in another order. If none was,
        // the significand of the whole fits, and so do those of partial
        // products.
        if (product.error) {
          Value size = wide.add(wide.abs(arguments[2]), error);
          Value rounding = wide.mul(size, wide.constant(gamma));
          Value exact = wide.compare(Predicate::OEQ, error, wide.constant(0));
          error = wide.select(exact, error, wide.add(error, rounding));
        }
        // In the denormal range each product may be off by half of the smallest
        // number, and later factors may enlarge this.
        Value denormal = wide.compare(Predicate::OLT, smallest,
                                      wide.constant(format.smallestNormal));
        Value lost = wide.mul(largest, wide.constant(terms * format.tiny));
        error = wide.add(error, wide.where(denormal, lost));
        Value over = wide.compare(Predicate::OGT, largest,
                                  wide.constant(format.largest));
        error = wide.select(over, wide.infinity(), error);
        if (product.error) {
          Value open =
              wide.compare(Predicate::OEQ, arguments[3], wide.infinity());
          error = wide.select(open, wide.infinity(), error);
        }
        // Infinity times a partial product that is lost entirely is NaN.
        Value infinite = wide.compare(Predicate::OEQ, wide.abs(arguments[2]),
                                      wide.infinity());
        Value zero =
            wide.compare(Predicate::OLT, smallest, wide.constant(format.tiny));
        linalg::YieldOp::create(
            inner, loc,
            ValueRange{wide.settle(error, arguments[2]),
                       wide.setWhere(wide.both(infinite, zero), NotANumber)});
      });
  return {product.value, errors.getResult(0), errors.getResult(1)};
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
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<Value> inputs = sums.all();
  SmallVector<Value> outs(2, emptyLike(builder, loc, sums.positive));
  outs.push_back(tensor::EmptyOp::create(builder, loc, type.getShape(),
                                         builder.getI8Type()));
  auto finished = linalg::GenericOp::create(
      builder, loc, ValueRange(outs).getTypes(), inputs, outs,
      SmallVector<AffineMap>(inputs.size() + outs.size(), identity),
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
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
