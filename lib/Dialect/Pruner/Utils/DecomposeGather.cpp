//===- DecomposeGather.cpp - gathers and scatters as loops ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DecomposeGather.h"

#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

static Value asIndex(OpBuilder &builder, Location loc, Value number) {
  if (number.getType().isIndex())
    return number;
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    number);
}

LogicalResult pruner::decomposeGather(RewriterBase &rewriter,
                                      tensor::GatherOp op) {
  Location loc = op.getLoc();
  MLIRContext *context = op.getContext();
  RankedTensorType type = op.getResultType(), source = op.getSourceType();
  const int64_t rank = type.getRank(),
                batch = op.getIndicesType().getRank() - 1;
  ArrayRef<int64_t> gathered = op.getGatherDims();
  // The result either has unit extents for the gathered dimensions or drops
  // them.
  const bool keepsUnits = rank == batch + source.getRank();

  SmallVector<OpFoldResult> extents;
  auto extentOf = [&](Value tensor, int64_t dim) {
    return tensor::getMixedSize(rewriter, loc, tensor, dim);
  };
  for (int64_t dim = 0; dim < batch; ++dim)
    extents.push_back(extentOf(op.getIndices(), dim));
  // The loop that runs along each dimension of the source, or -1 for gathered
  // dimensions.
  SmallVector<int64_t> loopOf(source.getRank(), -1);
  for (int64_t dim = 0; dim < source.getRank(); ++dim) {
    if (llvm::is_contained(gathered, dim)) {
      if (keepsUnits)
        extents.push_back(rewriter.getIndexAttr(1));
      continue;
    }
    loopOf[dim] = extents.size();
    extents.push_back(extentOf(op.getSource(), dim));
  }

  Value empty =
      tensor::EmptyOp::create(rewriter, loc, extents, type.getElementType());
  SmallVector<Value> inputs(gathered.size(), op.getIndices());
  SmallVector<AffineMap> maps;
  for (int64_t n = 0; n < int64_t(gathered.size()); ++n) {
    SmallVector<AffineExpr> place;
    for (int64_t dim = 0; dim < batch; ++dim)
      place.push_back(getAffineDimExpr(dim, context));
    place.push_back(getAffineConstantExpr(n, context));
    maps.push_back(AffineMap::get(rank, 0, place, context));
  }
  auto body = [&](OpBuilder &builder, Location loc,
                  ValueRange arguments) -> Value {
    SmallVector<Value> place(source.getRank());
    for (auto [n, dim] : llvm::enumerate(gathered))
      place[dim] = asIndex(builder, loc, arguments[n]);
    for (auto [dim, loop] : llvm::enumerate(loopOf))
      if (loop >= 0)
        place[dim] = linalg::IndexOp::create(builder, loc, loop);
    return tensor::ExtractOp::create(builder, loc, op.getSource(), place);
  };
  Value result = pruner::mapElements(rewriter, loc, empty, inputs, maps, body);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(op, result);
  return success();
}

LogicalResult pruner::decomposeScatter(RewriterBase &rewriter,
                                       tensor::ScatterOp op) {
  Location loc = op.getLoc();
  RankedTensorType dest = op.getDestType(), source = op.getSourceType();
  const int64_t batch = op.getIndicesType().getRank() - 1;
  ArrayRef<int64_t> scattered = op.getScatterDims();
  const OpFoldResult zero = rewriter.getIndexAttr(0),
                     one = rewriter.getIndexAttr(1);

  // One slice: the elements of the source for one coordinate tuple, without
  // unit extents in the scattered dimensions.
  SmallVector<int64_t> shape;
  SmallVector<OpFoldResult> sizes;
  for (int64_t dim = 0; dim < dest.getRank(); ++dim) {
    const bool once = llvm::is_contained(scattered, dim);
    sizes.push_back(
        once ? one : tensor::getMixedSize(rewriter, loc, op.getDest(), dim));
    if (!once)
      shape.push_back(getConstantIntValue(sizes.back())
                          .value_or(int64_t(ShapedType::kDynamic)));
  }
  auto sliceType = RankedTensorType::get(shape, dest.getElementType());
  SmallVector<OpFoldResult> readSizes(batch, one);
  for (int64_t dim = batch; dim < source.getRank(); ++dim)
    readSizes.push_back(
        tensor::getMixedSize(rewriter, loc, op.getSource(), dim));
  // The source and the destination have equal extents, so use a static one from
  // either.
  if (source.getRank() == batch + dest.getRank())
    for (int64_t dim = 0; dim < dest.getRank(); ++dim)
      readSizes[batch + dim] = sizes[dim];
  else
    for (int64_t dim = 0, next = batch; dim < dest.getRank(); ++dim)
      if (!llvm::is_contained(scattered, dim))
        readSizes[next++] = sizes[dim];

  SmallVector<Value> lower, upper, step;
  for (int64_t dim = 0; dim < batch; ++dim) {
    lower.push_back(arith::ConstantIndexOp::create(rewriter, loc, 0));
    upper.push_back(getValueOrCreateConstantIndexOp(
        rewriter, loc,
        tensor::getMixedSize(rewriter, loc, op.getIndices(), dim)));
    step.push_back(arith::ConstantIndexOp::create(rewriter, loc, 1));
  }
  auto body = [&](OpBuilder &builder, Location loc, ValueRange loops,
                  ValueRange carried) -> scf::ValueVector {
    SmallVector<OpFoldResult> from(loops.begin(), loops.end()),
        to(dest.getRank(), zero);
    from.resize(source.getRank(), zero);
    for (auto [n, dim] : llvm::enumerate(scattered)) {
      SmallVector<Value> place(loops.begin(), loops.end());
      place.push_back(arith::ConstantIndexOp::create(builder, loc, n));
      Value number =
          tensor::ExtractOp::create(builder, loc, op.getIndices(), place);
      to[dim] = asIndex(builder, loc, number);
    }
    Value slice = tensor::ExtractSliceOp::create(
        builder, loc, sliceType, op.getSource(), from, readSizes,
        SmallVector<OpFoldResult>(source.getRank(), one));
    Value inserted = tensor::InsertSliceOp::create(
        builder, loc, slice, carried.front(), to, sizes,
        SmallVector<OpFoldResult>(dest.getRank(), one));
    return {inserted};
  };
  scf::LoopNest nest = scf::buildLoopNest(rewriter, loc, lower, upper, step,
                                          ValueRange(op.getDest()), body);
  Value result = nest.results.front();
  if (result.getType() != op.getType())
    result = tensor::CastOp::create(rewriter, loc, op.getType(), result);
  rewriter.replaceOp(op, result);
  return success();
}
