//===- CropNegativePads.cpp - padding by negative amounts -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace pruner {
#define GEN_PASS_DEF_CROPNEGATIVEPADSPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// True if the amount is not known to be at least 0.
static bool mayBeNegative(OpFoldResult amount) {
  std::optional<int64_t> known = getConstantIntValue(amount);
  return !known || *known < 0;
}

namespace {
/// Arithmetic on sizes that folds known numbers.
class Arithmetic {
public:
  Arithmetic(RewriterBase &rewriter, Location loc)
      : rewriter(rewriter), loc(loc) {}

  OpFoldResult number(int64_t value) { return rewriter.getIndexAttr(value); }

  OpFoldResult add(OpFoldResult a, OpFoldResult b) {
    return apply<arith::AddIOp>(a, b, std::plus<int64_t>());
  }
  OpFoldResult subtract(OpFoldResult a, OpFoldResult b) {
    return apply<arith::SubIOp>(a, b, std::minus<int64_t>());
  }
  OpFoldResult smaller(OpFoldResult a, OpFoldResult b) {
    return apply<arith::MinSIOp>(
        a, b, [](int64_t x, int64_t y) { return std::min(x, y); });
  }
  OpFoldResult larger(OpFoldResult a, OpFoldResult b) {
    return apply<arith::MaxSIOp>(
        a, b, [](int64_t x, int64_t y) { return std::max(x, y); });
  }

private:
  template <typename Op>
  OpFoldResult apply(OpFoldResult a, OpFoldResult b,
                     llvm::function_ref<int64_t(int64_t, int64_t)> known) {
    std::optional<int64_t> x = getConstantIntValue(a),
                           y = getConstantIntValue(b);
    if (x && y)
      return number(known(*x, *y));
    return Op::create(rewriter, loc,
                      getValueOrCreateConstantIndexOp(rewriter, loc, a),
                      getValueOrCreateConstantIndexOp(rewriter, loc, b))
        .getResult();
  }

  RewriterBase &rewriter;
  Location loc;
};

/// The remaining part of a padded tensor, and the padding around it.
struct Crop {
  SmallVector<OpFoldResult> offsets, sizes, low, high;

  /// Element i of the result is element i - low of the `extent` elements of the
  /// source, if that exists. The elements from -low up to extent + high remain,
  /// as far as they exist; the rest of the result is padding.
  void add(Arithmetic &sizeOf, OpFoldResult extent, OpFoldResult before,
           OpFoldResult behind) {
    OpFoldResult zero = sizeOf.number(0);
    auto clamp = [&](OpFoldResult value) {
      return sizeOf.smaller(extent, sizeOf.larger(zero, value));
    };
    OpFoldResult begin = clamp(sizeOf.subtract(zero, before)),
                 end = clamp(sizeOf.add(extent, behind));
    OpFoldResult size = sizeOf.larger(zero, sizeOf.subtract(end, begin));
    OpFoldResult all = sizeOf.add(sizeOf.add(extent, before), behind);
    offsets.push_back(begin);
    sizes.push_back(size);
    low.push_back(sizeOf.smaller(all, sizeOf.larger(zero, before)));
    high.push_back(sizeOf.subtract(sizeOf.subtract(all, low.back()), size));
  }

  bool isEmpty() const {
    return llvm::any_of(
        sizes, [](OpFoldResult size) { return isConstantIntValue(size, 0); });
  }
};

struct CropNegativePads
    : pruner::impl::CropNegativePadsPassBase<CropNegativePads> {
  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](tensor::PadOp pad) {
      if (llvm::any_of(pad.getMixedLowPad(), mayBeNegative) ||
          llvm::any_of(pad.getMixedHighPad(), mayBeNegative))
        pads.push_back(pad);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::PadOp pad : pads)
      crop(rewriter, pad);
  }

private:
  void crop(RewriterBase &rewriter, tensor::PadOp pad) {
    rewriter.setInsertionPoint(pad);
    Location loc = pad.getLoc();
    Arithmetic sizeOf(rewriter, loc);
    Crop crop;
    for (auto [extent, low, high] :
         llvm::zip_equal(tensor::getMixedSizes(rewriter, loc, pad.getSource()),
                         pad.getMixedLowPad(), pad.getMixedHighPad()))
      crop.add(sizeOf, extent, low, high);
    Value part;
    if (crop.isEmpty()) { // No slice may begin after the last element.
      part = tensor::EmptyOp::create(rewriter, loc, crop.sizes,
                                     pad.getSourceType().getElementType());
    } else {
      SmallVector<OpFoldResult> ones(crop.sizes.size(), sizeOf.number(1));
      part = tensor::ExtractSliceOp::create(rewriter, loc, pad.getSource(),
                                            crop.offsets, crop.sizes, ones);
    }
    auto made = tensor::PadOp::create(rewriter, loc, pad.getType(), part,
                                      crop.low, crop.high, pad.getNofold());
    // The region may compute the padding from the position in the result, which
    // is unchanged.
    made.getRegion().takeBody(pad.getRegion());
    rewriter.replaceOp(pad, made.getResult());
    ++numCropped;
  }
};
} // namespace
