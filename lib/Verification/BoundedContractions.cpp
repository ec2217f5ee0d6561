//===- BoundedContractions.cpp - sums of products of exact numbers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundedReductions.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pruner;

std::optional<std::array<OpOperand *, 2>>
BoundedGeneric::exactFactors(Operation *combiner) {
  auto product = termOf(combiner).getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != op.getBlock() ||
      !product->hasOneUse() || !zeroOf(op.getOutputs()[0]) ||
      // Tensor cores may multiply these, which cuts small terms.
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
  OpOperand *padded = paddedFactor(combiner);
  if (padded)
    outs.push_back(noneLike(builder, loc, init));
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
        Value term = wide.mul(arguments[0], arguments[1]), others;
        if (padded) {
          Bounded inside = withoutPadding(
              wide, {term, {}}, arguments[padded->getOperandNumber()]);
          term = inside.value;
          others = wide.join(arguments.back(), inside.others);
        }
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
        if (others)
          yielded.push_back(others);
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
  if (padded)
    finished.others = sums.getResults().back();
  return finishSum(combiner, finished, numTerms());
}
