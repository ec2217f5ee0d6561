//===- InnerTiles.cpp - from innermost tiles to vectors -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sequence.h"

using namespace mlir;
using namespace pruner;

/// The largest side of squares for transposed copies, in elements. LLVM keeps
/// such squares in registers.
static constexpr int64_t kSquare = 8;

SmallVector<Value>
Sequence::stepThrough(Part &part, llvm::function_ref<bool(unsigned)> which) {
  SmallVector<OpFoldResult> sizes(plan.loops.size(), index(0));
  bool any = false;
  for (unsigned loop = 0; loop < plan.loops.size(); ++loop)
    if (isReduction(loop) && plan.loops[loop].extent > 1 && which(loop)) {
      sizes[loop] = index(1);
      any = true;
    }
  if (!any)
    return {};
  Steps::Tiled made = steps.tileToLoops(part.anchor, sizes);
  part.anchor = made.op;
  if (!part.outer)
    part.outer = made.loops.front();
  return made.loops;
}

/// Emits one step of the product: rows x vectors of accumulators, a column of
/// one operand and a row of vectors of the other.
void Sequence::contract(Part &part) {
  stepThrough(part, [&](unsigned loop) { return loop != plan.sum; });
  if (part.outer) {
    // With unit windows and single pixels a convolution is a product.
    steps.foldUnitDims(part.outer);
    steps.canonicalize(part.outer);
  }
  SmallVector<unsigned> left;
  for (unsigned loop = 0; loop < plan.loops.size(); ++loop)
    if (loop == plan.rows || loop == plan.vectors || loop == plan.sum)
      left.push_back(loop);
  auto at = [&](std::optional<unsigned> loop) {
    return int64_t(llvm::find(left, *loop) - left.begin());
  };
  SmallVector<OpFoldResult> sizes(left.size(), index(0));
  sizes[at(plan.sum)] = index(1);
  Steps::Tiled step = steps.tileToLoops(part.anchor, sizes);
  part.anchor = step.op;
  // Upstream lowers a contraction to outer products if its first operand has
  // the first parallel dimension.
  SmallVector<int64_t> order = {at(plan.rows), at(plan.vectors), at(plan.sum)};
  if (plan.vectorsFirst)
    std::swap(order[0], order[1]);
  if (!llvm::is_sorted(order))
    part.anchor = steps.interchange(part.anchor, order);
  if (!part.outer)
    part.outer = step.loops.front();
  finish(part, step.loops.front());
}

void Sequence::elementwise(Part &part) {
  SmallVector<Value> made = stepThrough(part, [](unsigned) { return true; });
  if (part.outer) {
    steps.foldUnitDims(part.outer);
    steps.canonicalize(part.outer);
  }
  finish(part, made.empty() ? Value() : made.back());
}

void Sequence::loops(Part &part) {
  if (!plan.looped.empty() && !llvm::is_sorted(plan.looped))
    part.anchor = steps.interchange(part.anchor, plan.looped);
  if (part.outer)
    steps.canonicalize(part.outer);
}

/// Emits a transposed copy of an operand, or of the part that a tile of the
/// anchor reads, square by square.
void Sequence::transpose(Value copy, unsigned input, ArrayRef<LoopTiles> tiles,
                         bool wholly) {
  linalg::LinalgOp anchor = site.anchor;
  SmallVector<OpFoldResult> sizes;
  for (AffineExpr expr : anchor.getIndexingMapsArray()[input].getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return;
    const LoopTiles &loop = tiles[dim.getPosition()];
    int64_t extent =
        wholly || isReduction(dim.getPosition()) ? loop.extent : loop.core;
    int64_t side = kSquare;
    while (extent % side != 0)
      side /= 2;
    sizes.push_back(index(side));
  }
  steps.vectorize(steps.tileToLoops(copy, sizes).op);
}

/// Vectorizes the innermost tile and moves accumulators out of the loops over
/// reductions, the innermost of which is `step`.
void Sequence::finish(Part &part, Value step) {
  if (!part.outer)
    return;
  steps.vectorize(part.anchor);
  // Links and the ops that broadcast for them may have been rewritten.
  steps.vectorize(steps.genericsIn(part.outer));
  steps.formContractions(part.outer);
  steps.canonicalize(part.outer);
  // First hoist whole tiles, then vectors, out of loops that do not change
  // them.
  steps.hoist(steps.loopsIn(part.outer));
  steps.canonicalize(part.outer);
  steps.foldSlicesIntoVectors(part.outer);
  steps.hoist(steps.loopsIn(part.outer));
  if (!step || plan.unroll <= 1)
    return;
  int64_t trips = 1;
  for (unsigned loop = 0; loop < plan.loops.size(); ++loop)
    if (isReduction(loop) && plan.loops[loop].extent > 1)
      trips = plan.loops[loop].extent;
  if (plan.sum)
    trips = plan.loops[*plan.sum].extent;
  int64_t factor = plan.unroll;
  while (trips % factor != 0)
    --factor;
  if (factor > 1 && factor < trips)
    steps.unroll(step, factor);
}
