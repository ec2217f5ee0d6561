//===- SplitUpsampledInputs.cpp - transposed convolutions by phases -------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IsTask.h"
#include "MatchProduct.h"

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {
#define GEN_PASS_DEF_SPLITUPSAMPLEDINPUTS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {

/// One upsampled coordinate o + u of the input: o is the position of the
/// result, u that in the filter, and input element x stands at first + step x.
struct Phases {
  unsigned out, window; ///< The loops o and u.
  int64_t step, first;
  /// How many positions before the result the first block of phases begins.
  int64_t early = 0;
  /// Input element of phase p, block y and tap i: y + i + slope p - before.
  int64_t slope = 0, before = 0;
  int64_t blocks = 1, taps = 1;

  /// The first filter element that meets an element of the input.
  int64_t firstTap(int64_t phase) const {
    return ((first + early - phase) % step + step) % step;
  }
  int64_t offset(int64_t phase) const {
    return (phase + firstTap(phase) - first - early) / step;
  }
  bool isLinear() const {
    for (int64_t p = 2; p < step; ++p)
      if (offset(p) - offset(p - 1) != offset(1) - offset(0))
        return false;
    return true;
  }

  Phases(unsigned out, unsigned window, int64_t step, int64_t first,
         int64_t results, int64_t filter)
      : out(out), window(window), step(step), first(first) {
    // If the first tap of phase p is step - 1 - p, all offsets are the same.
    if (!isLinear())
      early = step - 1 - first % step;
    slope = offset(1) - offset(0);
    before = -offset(0);
    blocks = llvm::divideCeil(results + early, step);
    for (int64_t p = 0; p < step; ++p)
      if (firstTap(p) < filter)
        taps = std::max<int64_t>(taps,
                                 llvm::divideCeil(filter - firstTap(p), step));
  }
};

/// Rewrites one operation.
class Splitter {
public:
  Splitter(IRRewriter &rewriter, linalg::LinalgOp op)
      : rewriter(rewriter), loc(op.getLoc()), op(op) {}

  /// Finds the operand, or fails.
  LogicalResult match();
  void rewrite();

private:
  bool matchOperand(unsigned n);
  bool isZeros(Value value) const;
  std::optional<Phases> matchCoordinate(AffineExpr expr, int64_t step,
                                        int64_t first);
  const Phases *phasesOf(unsigned loop, bool window) const;
  AffineExpr loopExpr(unsigned loop) {
    return rewriter.getAffineDimExpr(loops[loop]);
  }

  /// The result in blocks and phases: its shape, which of its coordinates make
  /// one of the result, the shape that this gives, and where the result begins.
  struct Blocks {
    SmallVector<int64_t> shape, whole, early;
    SmallVector<ReassociationIndices> groups;
  };
  Blocks blocksOf(AffineMap map) const;

  Value paddedInput();
  Value arrangedFilter();
  Value initOf(const Blocks &result);
  Value resultOf(Value sums, const Blocks &result);

  IRRewriter &rewriter;
  Location loc;
  linalg::LinalgOp op;
  unsigned upsampled = 0; ///< Which of the two inputs.
  tensor::InsertSliceOp insert;
  SmallVector<Phases> phases;
  /// For each coordinate of that input its phases' number, or -1.
  SmallVector<int> phasesAt;
  /// For each loop of the operation the new one; that of a phase follows its
  /// block's.
  SmallVector<unsigned> loops;
};

} // namespace

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

LogicalResult Splitter::match() {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      !pruner::isMultiplyAdd(op.getBlock()) ||
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
    std::optional<Phases> found = matchCoordinate(expr, step, first);
    if (!found)
      return false;
    phases.push_back(*found);
  }
  return true;
}

/// o + u, where the result has o, the filter has u, and nothing else has
/// either.
std::optional<Phases> Splitter::matchCoordinate(AffineExpr expr, int64_t step,
                                                int64_t first) {
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
  return Phases(o, u, step, first, extents[o], extents[u]);
}

/// The phases that loop number `loop` is the window, or the result's position,
/// of.
const Phases *Splitter::phasesOf(unsigned loop, bool window) const {
  for (const Phases &each : phases)
    if ((window ? each.window : each.out) == loop)
      return &each;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

void Splitter::rewrite() {
  rewriter.setInsertionPoint(op);
  if (phases.empty()) { // Zeros around the input alone are padding.
    rewriter.modifyOpInPlace(
        op, [&] { op->setOperand(upsampled, paddedInput()); });
    return;
  }
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray())) {
    loops.push_back(iterators.size());
    iterators.append(phasesOf(loop, /*window=*/false) ? 2 : 1, iterator);
  }
  // The result has blocks and phases, the filter phases and taps, where there
  // was one coordinate.
  auto split = [&](AffineMap map, bool window) {
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : map.getResults()) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      const Phases *each = phasesOf(loop, window);
      if (each && window)
        results.push_back(rewriter.getAffineDimExpr(loops[each->out] + 1));
      results.push_back(loopExpr(loop));
      if (each && !window)
        results.push_back(rewriter.getAffineDimExpr(loops[each->out] + 1));
    }
    return AffineMap::get(iterators.size(), 0, results, rewriter.getContext());
  };
  SmallVector<AffineExpr> coordinates, replacements;
  for (unsigned loop = 0; loop < loops.size(); ++loop)
    replacements.push_back(loopExpr(loop));
  AffineMap inputMap =
      op.getMatchingIndexingMap(op.getDpsInputOperand(upsampled));
  for (auto [expr, number] : llvm::zip_equal(inputMap.getResults(), phasesAt)) {
    AffineExpr coordinate = expr.replaceDims(replacements);
    if (number >= 0)
      coordinate = coordinate +
                   rewriter.getAffineDimExpr(loops[phases[number].out] + 1) *
                       phases[number].slope;
    coordinates.push_back(coordinate);
  }

  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<Value> inputs(2);
  SmallVector<AffineMap> maps(3);
  inputs[upsampled] = paddedInput();
  maps[upsampled] =
      AffineMap::get(iterators.size(), 0, coordinates, rewriter.getContext());
  inputs[1 - upsampled] = arrangedFilter();
  maps[1 - upsampled] = split(
      op.getMatchingIndexingMap(op.getDpsInputOperand(1 - upsampled)), true);
  maps[2] = split(outMap, false);

  Blocks result = blocksOf(outMap);
  Value init = initOf(result);
  auto sums = linalg::GenericOp::create(rewriter, loc, init.getType(), inputs,
                                        init, maps, iterators);
  rewriter.cloneRegionBefore(op->getRegion(0), sums.getRegion(),
                             sums.getRegion().end());
  rewriter.replaceOp(op, resultOf(sums.getResult(0), result));
}

Splitter::Blocks Splitter::blocksOf(AffineMap map) const {
  Blocks result;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    const Phases *each =
        phasesOf(cast<AffineDimExpr>(expr).getPosition(), /*window=*/false);
    result.groups.push_back({int64_t(result.shape.size())});
    result.shape.push_back(each ? each->blocks : extent);
    if (each) {
      result.groups.back().push_back(result.shape.size());
      result.shape.push_back(each->step);
    }
    result.whole.push_back(each ? each->blocks * each->step : extent);
    result.early.push_back(each ? each->early : 0);
  }
  return result;
}

/// The input itself with the zeros around it that are read.
Value Splitter::paddedInput() {
  SmallVector<int64_t> low, high, shape;
  ArrayRef<int64_t> extents = insert.getSourceType().getShape();
  for (unsigned r = 0; r < extents.size(); ++r) {
    if (phasesAt[r] < 0) {
      low.push_back(insert.getStaticOffsets()[r]);
      high.push_back(insert.getType().getDimSize(r) - low.back() - extents[r]);
    } else {
      const Phases &each = phases[phasesAt[r]];
      int64_t reach =
          each.blocks + each.taps - 1 + each.slope * (each.step - 1);
      low.push_back(each.before);
      high.push_back(std::max<int64_t>(0, reach - each.before - extents[r]));
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

/// The filter with coordinates for phase and tap where it had one, zero where
/// a phase has fewer taps than others.
Value Splitter::arrangedFilter() {
  OpOperand *operand = op.getDpsInputOperand(1 - upsampled);
  auto type = cast<RankedTensorType>(operand->get().getType());
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<const Phases *> along;
  SmallVector<int64_t> shape;
  for (auto [expr, extent] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    const Phases *each =
        phasesOf(cast<AffineDimExpr>(expr).getPosition(), /*window=*/true);
    along.push_back(each);
    if (each)
      shape.push_back(each->step);
    shape.push_back(each ? each->taps : extent);
  }
  Type element = type.getElementType();
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, element);
  SmallVector<utils::IteratorType> parallel(shape.size(),
                                            utils::IteratorType::parallel);
  auto body = [&](OpBuilder &builder, Location loc, ValueRange) {
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    SmallVector<Value> at;
    Value inside;
    unsigned dim = 0;
    for (auto [each, extent] : llvm::zip_equal(along, type.getShape())) {
      Value position = linalg::IndexOp::create(builder, loc, dim++);
      if (!each) {
        at.push_back(position);
        continue;
      }
      Value tap = linalg::IndexOp::create(builder, loc, dim++);
      // (first - phase) modulo step, of a number that is not negative.
      Value first = arith::SubIOp::create(
          builder, loc, index(each->first + each->early + each->step),
          position);
      first = arith::RemUIOp::create(builder, loc, first, index(each->step));
      Value skipped =
          arith::MulIOp::create(builder, loc, tap, index(each->step));
      Value place = arith::AddIOp::create(builder, loc, first, skipped);
      Value here = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, place, index(extent));
      inside =
          inside ? arith::AndIOp::create(builder, loc, inside, here) : here;
      at.push_back(
          arith::MinUIOp::create(builder, loc, place, index(extent - 1)));
    }
    Value value = tensor::ExtractOp::create(builder, loc, operand->get(), at);
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
    value = arith::SelectOp::create(builder, loc, inside, value, zero);
    linalg::YieldOp::create(builder, loc, value);
  };
  return linalg::GenericOp::create(
             rewriter, loc, empty.getType(), ValueRange{}, empty,
             rewriter.getMultiDimIdentityMap(shape.size()), parallel, body)
      .getResult(0);
}

/// What the sums start from, in blocks and phases.
Value Splitter::initOf(const Blocks &result) {
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

/// Blocks and phases side by side, those that belong to the result.
Value Splitter::resultOf(Value sums, const Blocks &result) {
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
    : pruner::impl::SplitUpsampledInputsBase<SplitUpsampledInputs> {
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
