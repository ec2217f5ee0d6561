//===- BoundedProducts.cpp - products with bounds in any order ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedReductions.h"

using namespace mlir;
using namespace pruner;

using Predicate = arith::CmpFPredicate;

std::array<Value, 2> BoundedGeneric::partialProducts(Operation *combiner,
                                                     Value product) {
  Location loc = op.getLoc();
  Inputs inputs = collectInputs();
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
  Value ones = filledLike(builder, loc, product, 1);
  Bounded init = known.lookup(op.getOutputs()[0]);
  SmallVector<Value> starts{init.value};
  if (init.error)
    starts.push_back(init.error);
  auto start =
      elementwise(builder, loc, starts, ValueRange{ones, ones},
                  [&](OpBuilder &inner, Location loc, ValueRange arguments) {
                    WideArithmetic wide(inner, loc);
                    linalg::YieldOp::create(
                        inner, loc,
                        widen(wide, arguments.take_back(2), arguments[0],
                              init.error ? arguments[1] : Value()));
                  });
  SmallVector<AffineMap> maps = inputs.maps;
  maps.append(2, op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  auto extremes = linalg::GenericOp::create(
      builder, loc, start.getResultTypes(), inputs.values, start.getResults(),
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
  return {extremes.getResult(0), extremes.getResult(1)};
}

Bounded BoundedGeneric::inAnyOrder(Operation *combiner, Bounded product) {
  Location loc = op.getLoc();
  Format format(combiner->getResult(0).getType());
  auto [greatest, least] = partialProducts(combiner, product.value);
  double terms = numTerms() + 1;
  double gamma = terms * format.unit * (format.precision == 53 ? 2 : 1);
  if (gamma < 0.5)
    gamma /= 1 - gamma;
  SmallVector<Value> finished{greatest, least, product.value};
  if (product.error)
    finished.push_back(product.error);
  SmallVector<Value> outs{emptyLike(builder, loc, product.value),
                          noneLike(builder, loc, product.value)};
  auto errors = elementwise(
      builder, loc, finished, outs,
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
