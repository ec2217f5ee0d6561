//===- SplitUpsampledInputs.cpp - transposed convolutions by phases -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "MatchProduct.h"
#include "UpsampledPhases.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {
#define GEN_PASS_DEF_SPLITUPSAMPLEDINPUTSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using pruner::PhaseRange;
using pruner::UpsampledPhases;

namespace {

/// Rewrites one operation.
class Splitter {
public:
  Splitter(IRRewriter &rewriter, linalg::LinalgOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op) {}

  /// Finds the upsampled operand, or fails.
  LogicalResult match();
  void rewrite();

private:
  bool matchOperand(unsigned n);
  bool isZeros(Value value) const;
  std::optional<UpsampledPhases> matchCoordinate(AffineExpr expr, int64_t step,
                                                 int64_t first);
  /// The index of the phases for which `loop` is the window or the position of
  /// the result; -1 if there are none.
  int phasesOf(unsigned loop, bool window) const;

  /// Adds the products of one range of each of the phases, with the same
  /// kernel.
  Value accumulate(ArrayRef<PhaseRange> ranges, Value padded, Value init);
  AffineMap inputMap(ArrayRef<PhaseRange> ranges, unsigned numLoops);
  /// The map of an operand whose coordinates are loops, with two coordinates
  /// for each loop over positions of the result or over a window.
  AffineMap splitMap(AffineMap map, bool window, unsigned numLoops);
  AffineExpr loopExpr(unsigned loop) {
    return rewriter.getAffineDimExpr(loops[loop]);
  }
  AffineExpr phaseExpr(const UpsampledPhases &each) {
    return rewriter.getAffineDimExpr(loops[each.out] + 1);
  }

  Value paddedInput();
  Value arrangedFilter(ArrayRef<PhaseRange> ranges);
  Value initInBlocks();
  Value resultOf(Value sums);
  void findBlocks();

  IRRewriter &rewriter;
  Location loc;
  linalg::LinalgOp op;
  unsigned upsampled = 0; ///< The number of the upsampled input.
  tensor::InsertSliceOp insert;
  SmallVector<UpsampledPhases> phases;
  /// For each coordinate of that input, the index of its phases, or -1.
  SmallVector<int> phasesAt;
  /// For each loop of the operation, the new loop. The loop over phases follows
  /// the loop over blocks.
  SmallVector<unsigned> loops;
  /// The result in blocks and phases: its shape, the groups of coordinates that
  /// form one coordinate of the result, the collapsed shape, the offset of the
  /// result, and for each coordinate the index of the phases that it
  /// enumerates, or -1.
  struct Blocks {
    SmallVector<int64_t> shape, whole, early;
    SmallVector<ReassociationIndices> groups;
    SmallVector<int> phasesAt;
  } result;
};

} // namespace

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

LogicalResult Splitter::match() {
  if (!pruner::addsProducts(op) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
           .isProjectedPermutation())
    return failure();
  for (upsampled = 0; upsampled < 2; ++upsampled)
    if (matchOperand(upsampled))
      return success();
  return failure();
}

bool Splitter::isZeros(Value value) const {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  return fill && (matchPattern(fill.value(), m_AnyZeroFloat()) ||
                  matchPattern(fill.value(), m_Zero()));
}

bool Splitter::matchOperand(unsigned n) {
  insert = op.getDpsInputs()[n].getDefiningOp<tensor::InsertSliceOp>();
  if (!insert ||
      insert.getSourceType().getRank() != insert.getType().getRank() ||
      !insert.getSourceType().hasStaticShape() || !isZeros(insert.getDest()) ||
      ShapedType::isDynamicShape(insert.getStaticOffsets()) ||
      ShapedType::isDynamicShape(insert.getStaticStrides()) ||
      !op.getMatchingIndexingMap(op.getDpsInputOperand(1 - n))
           .isProjectedPermutation())
    return false;
  phases.clear();
  phasesAt.clear();
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(n));
  for (auto [expr, step, first] :
       llvm::zip_equal(map.getResults(), insert.getStaticStrides(),
                       insert.getStaticOffsets())) {
    phasesAt.push_back(step == 1 ? -1 : int(phases.size()));
    if (step == 1)
      continue;
    std::optional<UpsampledPhases> found = matchCoordinate(expr, step, first);
    if (!found)
      return false;
    phases.push_back(*found);
  }
  return true;
}

/// Matches o + u, where o is a loop of the result, u is a loop of the filter,
/// and nothing else has either.
std::optional<UpsampledPhases>
Splitter::matchCoordinate(AffineExpr expr, int64_t step, int64_t first) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto out = dyn_cast<AffineDimExpr>(sum.getLHS()),
       window = dyn_cast<AffineDimExpr>(sum.getRHS());
  if (!out || !window)
    return std::nullopt;
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (linalg::isReductionIterator(iterators[out.getPosition()]))
    std::swap(out, window);
  unsigned o = out.getPosition(), u = window.getPosition();
  if (!linalg::isParallelIterator(iterators[o]) ||
      !linalg::isReductionIterator(iterators[u]))
    return std::nullopt;
  AffineMap input = op.getMatchingIndexingMap(op.getDpsInputOperand(upsampled));
  AffineMap filter =
      op.getMatchingIndexingMap(op.getDpsInputOperand(1 - upsampled));
  unsigned uses = llvm::count_if(input.getResults(), [&](AffineExpr other) {
    return other.isFunctionOfDim(o) || other.isFunctionOfDim(u);
  });
  if (uses != 1 || filter.isFunctionOfDim(o) || !filter.isFunctionOfDim(u))
    return std::nullopt;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  return UpsampledPhases(o, u, step, first, extents[o], extents[u]);
}

int Splitter::phasesOf(unsigned loop, bool window) const {
  for (auto [n, each] : llvm::enumerate(phases))
    if ((window ? each.window : each.out) == loop)
      return n;
  return -1;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void Splitter::rewrite() {
  rewriter.setInsertionPoint(op);
  if (phases.empty()) { // Zeros only around the input are padding.
    rewriter.modifyOpInPlace(op,
                             [&] { op->setOperand(upsampled, paddedInput()); });
    return;
  }
  unsigned numLoops = 0;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    loops.push_back(numLoops);
    numLoops += phasesOf(loop, /*window=*/false) >= 0 ? 2 : 1;
  }
  findBlocks();
  // One range of each of the phases, in all combinations.
  SmallVector<SmallVector<PhaseRange>> products{{}};
  for (const UpsampledPhases &each : phases) {
    SmallVector<SmallVector<PhaseRange>> longer;
    for (const auto &product : products)
      for (PhaseRange range : each.ranges()) {
        longer.push_back(product);
        longer.back().push_back(range);
      }
    products = std::move(longer);
  }
  Value padded = paddedInput(), sums = initInBlocks();
  for (ArrayRef<PhaseRange> ranges : products)
    sums = accumulate(ranges, padded, sums);
  rewriter.replaceOp(op, resultOf(sums));
}

AffineMap Splitter::splitMap(AffineMap map, bool window, unsigned numLoops) {
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    int number = phasesOf(loop, window);
    if (number >= 0 && window)
      results.push_back(phaseExpr(phases[number]));
    results.push_back(loopExpr(loop));
    if (number >= 0 && !window)
      results.push_back(phaseExpr(phases[number]));
  }
  return AffineMap::get(numLoops, 0, results, rewriter.getContext());
}

AffineMap Splitter::inputMap(ArrayRef<PhaseRange> ranges, unsigned numLoops) {
  SmallVector<AffineExpr> coordinates, replacements;
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    replacements.push_back(loopExpr(loop));
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(upsampled));
  for (auto [expr, number] : llvm::zip_equal(map.getResults(), phasesAt)) {
    AffineExpr coordinate = expr.replaceDims(replacements);
    if (number >= 0) {
      const UpsampledPhases &each = phases[number];
      PhaseRange range = ranges[number];
      coordinate = coordinate + phaseExpr(each) * each.slope +
                   (range.firstTap + each.slope * range.firstPhase);
    }
    coordinates.push_back(coordinate);
  }
  return AffineMap::get(numLoops, 0, coordinates, rewriter.getContext());
}

Value Splitter::accumulate(ArrayRef<PhaseRange> ranges, Value padded,
                           Value init) {
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    iterators.append(phasesOf(loop, /*window=*/false) >= 0 ? 2 : 1, iterator);
  unsigned numLoops = iterators.size();

  // If only some phases take part, compute in their slice.
  SmallVector<int64_t> offsets(result.shape.size(), 0), sizes(result.shape);
  for (auto [coord, number] : llvm::enumerate(result.phasesAt))
    if (number >= 0) {
      offsets[coord] = ranges[number].firstPhase;
      sizes[coord] = ranges[number].phases;
    }
  bool whole = sizes == result.shape;
  MLIRContext *context = rewriter.getContext();
  auto at = getAsIndexOpFoldResult(context, offsets),
       box = getAsIndexOpFoldResult(context, sizes);
  SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
  Value start =
      whole ? init
            : tensor::ExtractSliceOp::create(rewriter, loc, init, at, box, ones)
                  .getResult();

  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<Value> inputs(2);
  SmallVector<AffineMap> maps(3);
  inputs[upsampled] = padded;
  maps[upsampled] = inputMap(ranges, numLoops);
  inputs[1 - upsampled] = arrangedFilter(ranges);
  maps[1 - upsampled] =
      splitMap(op.getMatchingIndexingMap(op.getDpsInputOperand(1 - upsampled)),
               /*window=*/true, numLoops);
  maps[2] = splitMap(outMap, /*window=*/false, numLoops);
  auto sums = linalg::GenericOp::create(rewriter, loc, start.getType(), inputs,
                                        start, maps, iterators);
  rewriter.cloneRegionBefore(op->getRegion(0), sums.getRegion(),
                             sums.getRegion().end());
  if (whole)
    return sums.getResult(0);
  return tensor::InsertSliceOp::create(rewriter, loc, sums.getResult(0), init,
                                       at, box, ones);
}

void Splitter::findBlocks() {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    int number =
        phasesOf(cast<AffineDimExpr>(expr).getPosition(), /*window=*/false);
    result.groups.push_back({int64_t(result.shape.size())});
    result.shape.push_back(number >= 0 ? phases[number].blocks : extent);
    result.phasesAt.push_back(-1);
    if (number < 0) {
      result.whole.push_back(extent);
      result.early.push_back(0);
      continue;
    }
    const UpsampledPhases &each = phases[number];
    result.groups.back().push_back(result.shape.size());
    result.shape.push_back(each.step);
    result.phasesAt.push_back(number);
    result.whole.push_back(each.blocks * each.step);
    result.early.push_back(each.early);
  }
}

/// The original input with the surrounding zeros that are read.
Value Splitter::paddedInput() {
  SmallVector<int64_t> low, high, shape;
  ArrayRef<int64_t> extents = insert.getSourceType().getShape();
  for (unsigned r = 0; r < extents.size(); ++r) {
    if (phasesAt[r] < 0) {
      low.push_back(insert.getStaticOffsets()[r]);
      high.push_back(insert.getType().getDimSize(r) - low.back() - extents[r]);
    } else {
      const UpsampledPhases &each = phases[phasesAt[r]];
      low.push_back(each.before);
      high.push_back(
          std::max<int64_t>(0, each.reach() - each.before - extents[r]));
    }
    shape.push_back(low.back() + extents[r] + high.back());
  }
  Type element = insert.getType().getElementType();
  if (llvm::equal(shape, extents))
    return insert.getSource();
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
  return tensor::PadOp::create(
      rewriter, loc, RankedTensorType::get(shape, element), insert.getSource(),
      getAsIndexOpFoldResult(rewriter.getContext(), low),
      getAsIndexOpFoldResult(rewriter.getContext(), high), zero);
}

/// The filter with coordinates for phase and tap instead of one coordinate.
Value Splitter::arrangedFilter(ArrayRef<PhaseRange> ranges) {
  OpOperand *operand = op.getDpsInputOperand(1 - upsampled);
  auto type = cast<RankedTensorType>(operand->get().getType());
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<int> along;
  SmallVector<int64_t> shape;
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    int number =
        phasesOf(cast<AffineDimExpr>(expr).getPosition(), /*window=*/true);
    along.push_back(number);
    if (number >= 0)
      shape.push_back(ranges[number].phases);
    shape.push_back(number >= 0 ? ranges[number].taps : extent);
  }
  Type element = type.getElementType();
  auto body = [&](OpBuilder &builder, Location loc, ValueRange) -> Value {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    SmallVector<Value> at;
    unsigned dim = 0;
    for (int number : along) {
      Value position = linalg::IndexOp::create(builder, loc, dim++);
      if (number < 0) {
        at.push_back(position);
        continue;
      }
      const UpsampledPhases &each = phases[number];
      PhaseRange range = ranges[number];
      Value tap = linalg::IndexOp::create(builder, loc, dim++);
      // (first - phase) modulo step of a non-negative number.
      int64_t first = each.first + each.early - range.firstPhase;
      Value start = arith::SubIOp::create(builder, loc,
                                          index(first + each.step), position);
      start = arith::RemUIOp::create(builder, loc, start, index(each.step));
      Value skipped =
          arith::MulIOp::create(builder, loc, tap, index(each.step));
      Value place = arith::AddIOp::create(builder, loc, start, skipped);
      if (range.firstTap > 0)
        place = arith::AddIOp::create(builder, loc, place,
                                      index(each.step * range.firstTap));
      at.push_back(place);
    }
    return tensor::ExtractOp::create(builder, loc, operand->get(), at);
  };
  return pruner::mapElements(
      rewriter, loc, RankedTensorType::get(shape, element), {}, {}, body);
}

/// The init of the sums, in blocks and phases.
Value Splitter::initInBlocks() {
  Value init = op.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  Type element = type.getElementType();
  if (auto fill = init.getDefiningOp<linalg::FillOp>()) {
    Value empty = tensor::EmptyOp::create(rewriter, loc, result.shape, element);
    return linalg::FillOp::create(rewriter, loc, fill.value(), empty)
        ->getResult(0);
  }
  if (!llvm::equal(result.whole, type.getShape())) {
    SmallVector<int64_t> high;
    for (auto [whole, extent, low] :
         llvm::zip_equal(result.whole, type.getShape(), result.early))
      high.push_back(whole - extent - low);
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(element));
    init = tensor::PadOp::create(
        rewriter, loc, RankedTensorType::get(result.whole, element), init,
        getAsIndexOpFoldResult(rewriter.getContext(), result.early),
        getAsIndexOpFoldResult(rewriter.getContext(), high), zero);
  }
  return tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(result.shape, element), init,
      result.groups);
}

/// The result, which interleaves blocks and phases.
Value Splitter::resultOf(Value sums) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value whole = tensor::CollapseShapeOp::create(
      rewriter, loc, RankedTensorType::get(result.whole, type.getElementType()),
      sums, result.groups);
  if (whole.getType() == type)
    return whole;
  MLIRContext *context = rewriter.getContext();
  SmallVector<OpFoldResult> ones(type.getRank(), rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      rewriter, loc, type, whole, getAsIndexOpFoldResult(context, result.early),
      getAsIndexOpFoldResult(context, type.getShape()), ones);
}

namespace {
struct SplitUpsampledInputs
    : pruner::impl::SplitUpsampledInputsPassBase<SplitUpsampledInputs> {
  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> candidates;
    getOperation().walk([&](linalg::LinalgOp op) { candidates.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : candidates) {
      Splitter splitter(rewriter, op);
      if (failed(splitter.match()))
        continue;
      splitter.rewrite();
      ++numSplit;
    }
  }
};
} // namespace
