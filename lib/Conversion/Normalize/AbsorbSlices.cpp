//===- AbsorbSlices.cpp - generics read slices through their maps ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IsTask.h"

#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/Utils/AsGeneric.h"
#include "pruner/Dialect/Pruner/Utils/PrefixSlice.h"
#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace pruner {
#define GEN_PASS_DEF_ABSORBSLICESPASS
#include "pruner/Conversion/Normalize/Passes.h.inc"
} // namespace pruner

namespace {
/// How to read a slice in its source: the source with some dimensions n
/// expanded to (n / s, s), and a coordinate for each dimension of the result.
struct InPlace {
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  SmallVector<AffineExpr> coordinates;
  /// Some coordinate adds to a loop or multiplies it.
  bool moves = false;

  void add(int64_t extent, AffineExpr coordinate) {
    shape.push_back(extent);
    coordinates.push_back(coordinate);
  }
};
} // namespace

/// The coordinates that replace `at` in `slice`. A loop that is a coordinate
/// without other terms must run over the whole dimension. Therefore a block of
/// a dimension that divides into such blocks becomes a constant of an expanded
/// dimension, other parts add their offset, and a slice that begins at zero and
/// ends early stays a slice.
static FailureOr<InPlace> readInPlace(tensor::ExtractSliceOp slice,
                                      ArrayRef<AffineExpr> at) {
  RankedTensorType type = slice.getSourceType();
  if (!type.hasStaticShape() || type.getEncoding() ||
      ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
      ShapedType::isDynamicShape(slice.getStaticSizes()) ||
      ShapedType::isDynamicShape(slice.getStaticStrides()))
    return failure();
  MLIRContext *context = slice.getContext();
  auto constant = [&](int64_t value) {
    return getAffineConstantExpr(value, context);
  };
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  InPlace result;
  unsigned next = 0;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t extent = type.getDimSize(dim), size = slice.getStaticSizes()[dim],
            offset = slice.getStaticOffsets()[dim],
            stride = slice.getStaticStrides()[dim];
    if (offset < 0 || stride < 1)
      return failure();
    result.groups.push_back({static_cast<int64_t>(result.shape.size())});
    AffineExpr index = dropped.test(dim) ? constant(0) : at[next++];
    if (size == 1) {
      result.add(extent, constant(offset));
    } else if (size == extent) {
      result.add(extent, index);
    } else if (stride == 1 && extent % size == 0 && offset % size == 0) {
      result.add(extent / size, constant(offset / size));
      result.groups.back().push_back(result.shape.size());
      result.add(size, index);
    } else if (stride != 1 || offset != 0) {
      result.add(extent, index * stride + offset);
      result.moves = true;
    } else {
      return failure();
    }
  }
  return result;
}

namespace {
struct AbsorbSlices : pruner::impl::AbsorbSlicesPassBase<AbsorbSlices> {
  /// Makes input number `input` of `op` read a slice in place. Returns the op
  /// that replaces `op`.
  linalg::LinalgOp absorb(IRRewriter &rewriter, linalg::LinalgOp op,
                          unsigned input) {
    OpOperand *operand = op.getDpsInputOperand(input);
    auto slice = operand->get().getDefiningOp<tensor::ExtractSliceOp>();
    // A slice of weights is taken once, ahead of all runs. Its reader can then
    // have it packed ahead.
    if (!slice || pruner::isPrefixSlice(slice) ||
        pruner::isConstantTensor(slice))
      return op;
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    FailureOr<InPlace> place = readInPlace(slice, maps[input].getResults());
    // A product is faster if the coordinates of its operands are loops, by more
    // than the cost of copying one.
    if (failed(place) ||
        (place->moves && linalg::isaContractionOpInterface(op)))
      return op;
    maps[input] = AffineMap::get(op.getNumLoops(), 0, place->coordinates,
                                 op.getContext());
    // Every loop must still cover a dimension of some operand.
    if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
      return op;
    rewriter.setInsertionPoint(op);
    Value source = slice.getSource();
    auto type = slice.getSourceType().clone(place->shape);
    if (type != slice.getSourceType())
      source = tensor::ExpandShapeOp::create(rewriter, slice.getLoc(), type,
                                             source, place->groups);
    FailureOr<linalg::GenericOp> generic = pruner::asGeneric(rewriter, op);
    if (failed(generic))
      return op;
    op = *generic;
    rewriter.modifyOpInPlace(op, [&] {
      op.getDpsInputOperand(input)->set(source);
      op->setAttr("indexing_maps", rewriter.getAffineMapArrayAttr(maps));
    });
    ++numAbsorbed;
    return op;
  }

  void runOnOperation() override {
    if (pruner::isTask(getOperation()))
      return;
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
          isa<linalg::GenericOp, linalg::MatmulOp, linalg::BatchMatmulOp>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      for (int64_t input = 0; input < op.getNumDpsInputs(); ++input)
        op = absorb(rewriter, op, input);
  }
};
} // namespace
