//===- SplitPaddedWindows.cpp - windows without their padding -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"
#include "MatchProduct.h"
#include "WindowSegments.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {
#define GEN_PASS_DEF_SPLITPADDEDWINDOWSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using pruner::WindowSegment;

/// The smallest share of multiply-adds that the split of one coordinate must
/// remove.
static constexpr double kMinShare = 0.25;

namespace {

/// A coordinate of the input, o * stride + k * dilation, and its range without
/// padding.
struct Window {
  unsigned coordinate, out, tap; ///< The latter two are loops.
  int64_t low;                   ///< Padding before.
  SmallVector<WindowSegment> segments;
};

/// Rewrites one operation.
class Splitter {
public:
  Splitter(IRRewriter &rewriter, linalg::LinalgOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op),
        extents(op.getStaticLoopRanges()) {}

  /// Finds the windows to split. Fails if that saves too little.
  LogicalResult match(int64_t minSaved);
  void rewrite();

private:
  bool matchInput(unsigned n);
  std::optional<Window> matchCoordinate(unsigned coordinate);
  int64_t positionsOf(const Window &window) const;
  bool isWorthIt(int64_t minSaved) const;

  Value read(ArrayRef<const WindowSegment *> place);
  Value compute(ArrayRef<const WindowSegment *> place, Value sums);
  Value slice(Value value, AffineMap map, ArrayRef<int64_t> firsts,
              ArrayRef<int64_t> counts);

  IRRewriter &rewriter;
  Location loc;
  linalg::LinalgOp op;
  SmallVector<int64_t> extents;
  unsigned input = 0; ///< The number of the padded input.
  tensor::PadOp pad;
  SmallVector<Window> windows; ///< Of the coordinates that are split.
};

} // namespace

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

LogicalResult Splitter::match(int64_t minSaved) {
  if (!pruner::addsProducts(op) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0))
           .isProjectedPermutation())
    return failure();
  for (input = 0; input < 2; ++input)
    if (matchInput(input)) {
      llvm::erase_if(windows, [&](const Window &window) {
        int64_t whole = extents[window.out] * extents[window.tap];
        return double(whole - positionsOf(window)) < kMinShare * double(whole);
      });
      return success(isWorthIt(minSaved));
    }
  return failure();
}

bool Splitter::matchInput(unsigned n) {
  pad = op.getDpsInputs()[n].getDefiningOp<tensor::PadOp>();
  auto isNegative = [](int64_t amount) { return amount < 0; };
  if (!pad || !pad.getSourceType().hasStaticShape() ||
      ShapedType::isDynamicShape(pad.getStaticLow()) ||
      llvm::any_of(pad.getStaticLow(), isNegative) ||
      llvm::any_of(pad.getStaticHigh(), isNegative) ||
      !op.getMatchingIndexingMap(op.getDpsInputOperand(1 - n))
           .isProjectedPermutation())
    return false;
  Value padding = pad.getConstantPaddingValue();
  if (!padding || !(matchPattern(padding, m_AnyZeroFloat()) ||
                    matchPattern(padding, m_Zero())))
    return false;
  windows.clear();
  for (unsigned r = 0; r < pad.getSourceType().getRank(); ++r) {
    if (pad.getType().getDimSize(r) == pad.getSourceType().getDimSize(r))
      continue;
    std::optional<Window> window = matchCoordinate(r);
    if (!window)
      return false;
    windows.push_back(std::move(*window));
  }
  return true;
}

/// The loops of the coordinate. The result must have one and the filter the
/// other, and nothing else may have either.
std::optional<Window> Splitter::matchCoordinate(unsigned coordinate) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(input));
  AffineMap filter =
      op.getMatchingIndexingMap(op.getDpsInputOperand(1 - input));
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineExpr expr = map.getResult(coordinate);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  Window window{coordinate, 0, 0, pad.getStaticLow()[coordinate], {}};
  unsigned outs = 0, taps = 0;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (llvm::count_if(map.getResults(), [&](AffineExpr other) {
          return other.isFunctionOfDim(loop);
        }) != 1)
      return std::nullopt;
    bool parallel = linalg::isParallelIterator(iterators[loop]);
    if (parallel ? filter.isFunctionOfDim(loop) || !result.isFunctionOfDim(loop)
                 : !filter.isFunctionOfDim(loop))
      return std::nullopt;
    (parallel ? window.out : window.tap) = loop;
    ++(parallel ? outs : taps);
  }
  if (outs != 1 || taps != 1)
    return std::nullopt;
  auto at = [&](int64_t o, int64_t k) -> std::optional<int64_t> {
    SmallVector<AffineExpr> values(op.getNumLoops(),
                                   rewriter.getAffineConstantExpr(0));
    values[window.out] = rewriter.getAffineConstantExpr(o);
    values[window.tap] = rewriter.getAffineConstantExpr(k);
    auto found = dyn_cast<AffineConstantExpr>(expr.replaceDims(values));
    return found ? std::optional(found.getValue()) : std::nullopt;
  };
  auto origin = at(0, 0), next = at(1, 0), further = at(0, 1);
  if (!expr.isPureAffine() || !origin || !next || !further || *origin != 0 ||
      *next < 1 || *further < 1 || at(1, 1) != *next + *further)
    return std::nullopt;
  window.segments = pruner::findWindowSegments(
      extents[window.out], extents[window.tap], *next, *further, window.low,
      pad.getSourceType().getDimSize(coordinate));
  return window;
}

/// The pairs of a position and a filter element that meet the input.
int64_t Splitter::positionsOf(const Window &window) const {
  int64_t positions = 0;
  for (const WindowSegment &segment : window.segments)
    positions += segment.count * segment.taps;
  return positions;
}

bool Splitter::isWorthIt(int64_t minSaved) const {
  int64_t whole = 1, pieces = 1;
  for (int64_t extent : extents)
    whole *= extent;
  int64_t left = whole;
  for (const Window &window : windows) {
    left = left / (extents[window.out] * extents[window.tap]) *
           positionsOf(window);
    pieces *= window.segments.size();
  }
  return !windows.empty() && whole - left >= minSaved * pieces;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void Splitter::rewrite() {
  rewriter.setInsertionPoint(op);
  // One segment of each window, in all combinations.
  SmallVector<SmallVector<const WindowSegment *>> places{{}};
  for (const Window &window : windows) {
    SmallVector<SmallVector<const WindowSegment *>> longer;
    for (const auto &place : places)
      for (const WindowSegment &segment : window.segments) {
        longer.push_back(place);
        longer.back().push_back(&segment);
      }
    places = std::move(longer);
  }
  Value sums = op.getDpsInits()[0];
  for (ArrayRef<const WindowSegment *> place : places)
    sums = compute(place, sums);
  rewriter.replaceOp(op, sums);
}

/// The box of `value` that loops of these ranges access. Its coordinates are
/// loops.
Value Splitter::slice(Value value, AffineMap map, ArrayRef<int64_t> firsts,
                      ArrayRef<int64_t> counts) {
  SmallVector<OpFoldResult> offsets, sizes;
  SmallVector<int64_t> shape;
  for (AffineExpr expr : map.getResults()) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    offsets.push_back(rewriter.getIndexAttr(firsts[loop]));
    sizes.push_back(rewriter.getIndexAttr(counts[loop]));
    shape.push_back(counts[loop]);
  }
  if (llvm::equal(shape, cast<RankedTensorType>(value.getType()).getShape()))
    return value;
  SmallVector<OpFoldResult> ones(shape.size(), rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, value, offsets, sizes,
                                        ones);
}

/// The part of the input that one segment of each window reads, with the
/// padding of the other coordinates.
Value Splitter::read(ArrayRef<const WindowSegment *> place) {
  RankedTensorType source = pad.getSourceType();
  SmallVector<int64_t> offsets(source.getRank(), 0), sizes(source.getShape());
  SmallVector<int64_t> low(pad.getStaticLow()), high(pad.getStaticHigh());
  for (auto [window, segment] : llvm::zip_equal(windows, place)) {
    unsigned r = window.coordinate;
    offsets[r] = segment->begin;
    sizes[r] = segment->size;
    low[r] = high[r] = 0;
  }
  MLIRContext *context = rewriter.getContext();
  auto indices = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(context, values);
  };
  Value part = pad.getSource();
  if (!llvm::equal(sizes, source.getShape()))
    part = tensor::ExtractSliceOp::create(
        rewriter, loc, part, indices(offsets), indices(sizes),
        SmallVector<OpFoldResult>(sizes.size(), rewriter.getIndexAttr(1)));
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return part;
  SmallVector<int64_t> padded(sizes);
  for (auto [size, before, after] : llvm::zip_equal(padded, low, high))
    size += before + after;
  return tensor::PadOp::create(
      rewriter, loc, RankedTensorType::get(padded, source.getElementType()),
      part, indices(low), indices(high), pad.getConstantPaddingValue());
}

/// The sums plus those of one segment of each window.
Value Splitter::compute(ArrayRef<const WindowSegment *> place, Value sums) {
  SmallVector<int64_t> firsts(extents.size(), 0), counts(extents);
  for (auto [window, segment] : llvm::zip_equal(windows, place)) {
    firsts[window.out] = segment->first;
    counts[window.out] = segment->count;
    firsts[window.tap] = segment->firstTap;
    counts[window.tap] = segment->taps;
  }

  OpOperand *filter = op.getDpsInputOperand(1 - input);
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<Value> inputs(2);
  inputs[input] = read(place);
  inputs[1 - input] =
      slice(filter->get(), op.getMatchingIndexingMap(filter), firsts, counts);
  Value start = slice(sums, outMap, firsts, counts);
  auto part = linalg::GenericOp::create(rewriter, loc, start.getType(), inputs,
                                        start, op.getIndexingMapsArray(),
                                        op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op->getRegion(0), part.getRegion(),
                             part.getRegion().end());
  if (start == sums)
    return part.getResult(0);
  auto box = cast<tensor::ExtractSliceOp>(start.getDefiningOp());
  return tensor::InsertSliceOp::create(
      rewriter, loc, part.getResult(0), sums, box.getMixedOffsets(),
      box.getMixedSizes(), box.getMixedStrides());
}

namespace {
struct SplitPaddedWindows
    : pruner::impl::SplitPaddedWindowsPassBase<SplitPaddedWindows> {
  using SplitPaddedWindowsPassBase::SplitPaddedWindowsPassBase;

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> candidates;
    getOperation().walk([&](linalg::LinalgOp op) { candidates.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : candidates) {
      Splitter splitter(rewriter, op);
      if (failed(splitter.match(minSaved)))
        continue;
      splitter.rewrite();
      ++numSplit;
    }
  }
};
} // namespace
