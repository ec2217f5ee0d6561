//===- Statements.cpp - mutations of tiled programs -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Collect.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace pruner;

/// Bands and the loops of statements, one iteration less.
static void collectTrips(Operation *op, MutationCollector &collector) {
  if (auto band = dyn_cast<BandOp>(op)) {
    for (unsigned n = 0; n < band.getTrips().size(); ++n)
      if (band.getTrips()[n] > 1)
        collector.add(MutationKind::Tile, "last trip of pruner.band",
                      [band, n]() mutable {
                        SmallVector<int64_t> trips(band.getTrips());
                        --trips[n];
                        band.setTrips(trips);
                      });
    return;
  }
  auto compute = dyn_cast<ComputeOp>(op);
  if (!compute)
    return;
  Operation *yield = compute.getBody().front().getTerminator();
  bool extremum =
      compute.getRole() == Role::Update &&
      isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                      arith::MinNumFOp, arith::MaxSIOp, arith::MinSIOp>(
          yield->getOperand(0).getDefiningOp());
  auto kind = extremum ? MutationKind::Extremum : MutationKind::Iteration;
  for (unsigned n = 0; n < compute.getNumLoops(); ++n)
    if (compute.getLoopExtents()[n] > 1 &&
        compute.getLoopLevel(n) != LoopKind::Vector)
      collector.add(kind, "last iteration of a statement",
                    [compute, n]() mutable {
                      SmallVector<int64_t> extents(compute.getLoopExtents());
                      --extents[n];
                      compute.setLoopExtents(extents);
                    });
}

/// The accumulators of a tile or a row.
static void collectStart(ComputeOp compute, MutationCollector &collector) {
  if (compute.getRole() != Role::Init)
    return;
  collector.add(MutationKind::Start, "accumulators are not started",
                [compute]() mutable { compute.erase(); });
  Operation *yield = compute.getBody().front().getTerminator();
  Type type = yield->getOperand(0).getType();
  for (double start : {1.0, 0x1p-7}) {
    if (isIntegerLike(type) && start < 1)
      continue;
    collector.add(MutationKind::Start, "accumulators start from another value",
                  [yield, type, start] {
                    OpBuilder builder(yield);
                    TypedAttr value =
                        isFloatLike(type)
                            ? TypedAttr(builder.getFloatAttr(type, start))
                            : TypedAttr(builder.getIntegerAttr(type, 1));
                    yield->setOperand(0, arith::ConstantOp::create(
                                             builder, yield->getLoc(), value));
                  });
  }
}

/// Pairs of inputs of one type that the body reads.
static void collectInputs(Operation *op, unsigned numInputs,
                          MutationCollector &collector) {
  Block &body = op->getRegion(0).front();
  for (unsigned a = 0; a < numInputs; ++a)
    for (unsigned b = a + 1; b < numInputs; ++b) {
      BlockArgument first = body.getArgument(a), second = body.getArgument(b);
      if (first.getType() != second.getType())
        continue;
      collector.add(MutationKind::Inputs,
                    "inputs " + std::to_string(a) + " and " +
                        std::to_string(b) + " exchanged",
                    [first, second]() mutable {
                      SmallVector<OpOperand *> uses(
                          llvm::make_pointer_range(second.getUses()));
                      first.replaceAllUsesWith(second);
                      for (OpOperand *use : uses)
                        use->set(first);
                    });
    }
}

/// The last coordinate of an input, one element further.
static void collectMaps(ComputeOp compute, MutationCollector &collector) {
  for (unsigned n = 0; n < compute.getInputs().size(); ++n) {
    AffineMap map = compute.getMap(n);
    if (map.getNumResults() == 0)
      continue;
    collector.add(
        MutationKind::Neighbor,
        "input " + std::to_string(n) + " of a statement next to its element",
        [compute, n, map]() mutable {
          SmallVector<AffineExpr> results(map.getResults());
          results.back() = results.back() + 1;
          SmallVector<Attribute> maps(compute.getMaps().getValue());
          maps[n] = AffineMapAttr::get(
              AffineMap::get(map.getNumDims(), 0, results, map.getContext()));
          compute.setMapsAttr(ArrayAttr::get(map.getContext(), maps));
        });
  }
}

/// The value of an input outside of its tensor.
static void collectPaddings(ComputeOp compute, MutationCollector &collector) {
  for (unsigned n = 0; n < compute.getInputs().size(); ++n) {
    TypedAttr padding = compute.getPaddingOf(n);
    if (!padding)
      continue;
    collector.add(
        MutationKind::Constant, "another padding of input " + std::to_string(n),
        [compute, n, padding]() mutable {
          Builder builder(compute.getContext());
          Type type = padding.getType();
          auto real = dyn_cast<FloatAttr>(padding);
          // Not only a neutral element has to be the right one.
          Attribute other =
              real ? Attribute(builder.getFloatAttr(
                         type, real.getValue().isZero() ? 0.5 : 0.0))
                   : builder.getIntegerAttr(
                         type, cast<IntegerAttr>(padding).getValue() + 1);
          SmallVector<Attribute> all(compute.getPaddings()->getValue());
          all[n] = other;
          compute.setPaddingsAttr(builder.getArrayAttr(all));
        });
  }
}

/// Points that are omitted although they read no padding.
static void collectInside(ComputeOp compute, MutationCollector &collector) {
  std::optional<ArrayRef<int64_t>> inside = compute.getInside();
  for (unsigned r = 0, e = inside ? inside->size() : 0; r < e; ++r)
    collector.add(MutationKind::Tail,
                  "the last position of padded coordinate " + std::to_string(r),
                  [compute, r]() mutable {
                    SmallVector<int64_t> extents(*compute.getInside());
                    --extents[r];
                    compute.setInside(extents);
                  });
}

void pruner::collectStatements(Operation *op, MutationCollector &collector) {
  collectTrips(op, collector);
  if (auto compute = dyn_cast<ComputeOp>(op)) {
    collectStart(compute, collector);
    collectInputs(op, compute.getInputs().size(), collector);
    collectMaps(compute, collector);
    collectPaddings(compute, collector);
    collectInside(compute, collector);
  } else if (auto stage = dyn_cast<StageOp>(op)) {
    collectInputs(op, stage.getInputs().size(), collector);
  } else {
    return;
  }
  Operation *yield = op->getRegion(0).front().getTerminator();
  if (isFloatLike(yield->getOperand(0).getType()))
    collector.add(MutationKind::Scale, "a statement's result is scaled",
                  [yield] {
                    OpBuilder builder(yield);
                    yield->setOperand(0, scaled(builder, yield->getLoc(),
                                                yield->getOperand(0)));
                  });
}
