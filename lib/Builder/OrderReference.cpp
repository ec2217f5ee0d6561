//===- OrderReference.cpp - contiguous accesses in references -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OrderReference.h"

#include "pruner/Dialect/Pruner/Utils/MoveLoop.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace pruner;

/// Rows shorter than this spend most of the time at the ends of a vector loop.
static constexpr int64_t kLongRow = 32;

/// True if the innermost loop `loop` walks along memory in all inputs, after
/// `transposeInputs`.
static bool walksAlongInputs(linalg::LinalgOp op, unsigned loop) {
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map.isProjectedPermutation() || !map.isFunctionOfDim(loop))
      return true;
    AffineMap outer = map.getMajorSubMap(map.getNumResults() - 1);
    AffineExpr last = map.getResult(map.getNumResults() - 1);
    SmallVector<AffineExpr> dims;
    for (unsigned d = 0; d < map.getNumDims(); ++d)
      dims.push_back(getAffineConstantExpr(d == loop ? 1 : 0, op.getContext()));
    auto step = dyn_cast<AffineConstantExpr>(simplifyAffineExpr(
        last.replaceDims(dims), map.getNumDims(), map.getNumSymbols()));
    return !outer.isFunctionOfDim(loop) && step && step.getValue() == 1;
  });
}

/// The loop to run innermost in a reduction. It is the loop along the rows of
/// the results or, if these are short or some input is not contiguous along
/// them, along the longest other dimension of the results. None if the results
/// differ.
static std::optional<unsigned> innermostLoop(linalg::LinalgOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (op.getNumReductionLoops() == 0 || map.getNumResults() == 0 ||
      !llvm::all_equal(
          llvm::map_range(op.getDpsInitsMutable(), [&](OpOperand &init) {
            return op.getMatchingIndexingMap(&init);
          })))
    return std::nullopt;
  auto last = dyn_cast<AffineDimExpr>(map.getResult(map.getNumResults() - 1));
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  if (last && extents[last.getPosition()] >= kLongRow &&
      walksAlongInputs(op, last.getPosition()))
    return last.getPosition();
  std::optional<unsigned> best =
      last ? std::optional(last.getPosition()) : std::nullopt;
  if (!map.isProjectedPermutation())
    return best;
  bool along = best && walksAlongInputs(op, *best);
  for (AffineExpr result : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(result).getPosition();
    if (walksAlongInputs(op, loop) &&
        (!along || extents[loop] > extents[*best])) {
      best = loop;
      along = true;
    }
  }
  return best;
}

/// Moves the dimensions of `value` from `first` up to `middle` after all
/// others, in blocks. Without blocks, a cache line is accessed once for each of
/// its elements, and if rows are large it leaves all caches in between.
static Value exchange(RewriterBase &rewriter, Location loc, Value value,
                      unsigned first, unsigned middle) {
  constexpr int64_t kBlock = 16;
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t outer = llvm::product_of(shape.take_front(first));
  int64_t rows = llvm::product_of(shape.slice(first, middle - first));
  int64_t columns = llvm::product_of(shape.drop_front(middle));
  int64_t row = std::gcd(rows, kBlock), column = std::gcd(columns, kBlock);
  auto reshape = [&](Value from, ArrayRef<int64_t> to) -> Value {
    auto whole = [](size_t rank) {
      return SmallVector<ReassociationIndices>{
          llvm::to_vector(llvm::seq<int64_t>(0, rank))};
    };
    Type line =
        RankedTensorType::get(type.getNumElements(), type.getElementType());
    size_t rank = cast<RankedTensorType>(from.getType()).getRank();
    if (rank != 1)
      from = tensor::CollapseShapeOp::create(rewriter, loc, line, from,
                                             whole(rank));
    return tensor::ExpandShapeOp::create(
        rewriter, loc, RankedTensorType::get(to, type.getElementType()), from,
        whole(to.size()));
  };
  Value blocks =
      reshape(value, {outer, rows / row, row, columns / column, column});
  Value empty = tensor::EmptyOp::create(
      rewriter, loc,
      ArrayRef<int64_t>{outer, columns / column, column, rows / row, row},
      type.getElementType());
  // Loops: outer, blocks of rows and of columns, columns, rows.
  SmallVector<AffineExpr> d;
  for (unsigned n = 0; n < 5; ++n)
    d.push_back(rewriter.getAffineDimExpr(n));
  auto map = [&](ArrayRef<AffineExpr> results) {
    return AffineMap::get(5, 0, results, rewriter.getContext());
  };
  auto exchanged = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), blocks, empty,
      ArrayRef<AffineMap>{map({d[0], d[1], d[4], d[2], d[3]}),
                          map({d[0], d[2], d[3], d[1], d[4]})},
      SmallVector<utils::IteratorType>(5, utils::IteratorType::parallel),
      [](OpBuilder &inside, Location at, ValueRange elements) {
        linalg::YieldOp::create(inside, at, elements.front());
      });
  SmallVector<int64_t> result(shape);
  std::rotate(result.begin() + first, result.begin() + middle, result.end());
  return reshape(exchanged.getResult(0), result);
}

/// `map` with result number `at` after all others.
static AffineMap withLast(AffineMap map, unsigned at) {
  SmallVector<AffineExpr> results(map.getResults());
  std::rotate(results.begin() + at, results.begin() + at + 1, results.end());
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

/// Transposes the inputs in which the innermost loop steps across rows. A step
/// of whole pages costs a hundred times as much as one along a row.
static void transposeInputs(RewriterBase &rewriter, linalg::GenericOp op) {
  AffineExpr inner = getAffineDimExpr(op.getNumLoops() - 1, op.getContext());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap &map = maps[input->getOperandNumber()];
    if (!map.isProjectedPermutation())
      continue;
    std::optional<unsigned> at = map.getResultPosition(inner);
    if (!at || *at + 1 == map.getNumResults())
      continue;
    Value exchanged =
        exchange(rewriter, op.getLoc(), input->get(), *at, *at + 1);
    rewriter.modifyOpInPlace(op, [&] { input->set(exchanged); });
    map = withLast(map, *at);
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

/// Makes the innermost loop walk along the results, which are transposed back.
static linalg::GenericOp transposeOutputs(RewriterBase &rewriter,
                                          linalg::GenericOp op) {
  AffineExpr inner = getAffineDimExpr(op.getNumLoops() - 1, op.getContext());
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  std::optional<unsigned> at = map.getResultPosition(inner);
  if (!at || *at + 1 == map.getNumResults())
    return op;
  SmallVector<Value> inits, results;
  for (Value init : op.getOutputs())
    inits.push_back(exchange(rewriter, op.getLoc(), init, *at, *at + 1));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (size_t n = op.getNumDpsInputs(); n < maps.size(); ++n)
    maps[n] = withLast(map, *at);
  auto moved = linalg::GenericOp::create(
      rewriter, op.getLoc(), ValueRange(inits).getTypes(), op.getInputs(),
      inits, maps, op.getIteratorTypesArray());
  rewriter.inlineRegionBefore(op.getRegion(), moved.getRegion(),
                              moved.getRegion().begin());
  for (Value value : moved.getResults())
    results.push_back(
        exchange(rewriter, op.getLoc(), value, *at, map.getNumResults() - 1));
  rewriter.replaceOp(op, results);
  return moved;
}

void pruner::orderReference(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<std::pair<linalg::LinalgOp, unsigned>> reductions;
  module.walk([&](linalg::LinalgOp op) {
    if (std::optional<unsigned> loop = innermostLoop(op))
      reductions.emplace_back(op, *loop);
  });
  for (auto [op, loop] : reductions) {
    FailureOr<linalg::GenericOp> generic =
        moveLoopInnermost(rewriter, op, loop);
    if (failed(generic))
      continue;
    rewriter.setInsertionPoint(*generic);
    linalg::GenericOp ordered = transposeOutputs(rewriter, *generic);
    rewriter.setInsertionPoint(ordered);
    transposeInputs(rewriter, ordered);
  }
}
