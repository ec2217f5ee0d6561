//===- Relayout.cpp - pack, unpack and gather -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScalarProgram.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace llvm;
using namespace pruner;

/// Calls `body(point)` for every point of `shape`, in row-major order.
template <typename Body>
static Error eachPoint(ArrayRef<int64_t> shape, Body body) {
  SmallVector<int64_t> point(shape.size(), 0);
  if (is_contained(shape, 0))
    return Error::success();
  for (bool more = true; more;) {
    if (Error error = body(ArrayRef<int64_t>(point)))
      return error;
    int64_t d = int64_t(shape.size()) - 1;
    while (d >= 0 && ++point[d] == shape[d])
      point[d--] = 0;
    more = d >= 0;
  }
  return Error::success();
}

/// The position in the plain tensor of an element of the packed one.
template <typename Op>
static SmallVector<int64_t> plainPoint(Op op, ArrayRef<int64_t> packed) {
  size_t rank = packed.size() - op.getInnerDimsPos().size();
  SmallVector<int64_t> point(rank);
  for (size_t outer = 0; outer < rank; ++outer) {
    bool permuted = !op.getOuterDimsPerm().empty();
    point[permuted ? op.getOuterDimsPerm()[outer] : outer] = packed[outer];
  }
  for (auto [inner, dim, tile] :
       enumerate(op.getInnerDimsPos(), op.getStaticInnerTiles()))
    point[dim] = point[dim] * tile + packed[rank + inner];
  return point;
}

/// The offset of a point; std::nullopt if it is outside.
static std::optional<int64_t> offsetOf(ArrayRef<int64_t> point,
                                       ArrayRef<int64_t> shape) {
  int64_t offset = 0;
  for (auto [at, extent] : zip_equal(point, shape)) {
    if (at < 0 || at >= extent)
      return std::nullopt;
    offset = offset * extent + at;
  }
  return offset;
}

Error Interpreter::evaluateRelayout(mlir::Operation *op, RangeTensor &result) {
  int64_t next = 0;
  if (auto pack = dyn_cast<mlir::linalg::PackOp>(op)) {
    if (is_contained(pack.getStaticInnerTiles(), mlir::ShapedType::kDynamic))
      return unsupported(op, " of dynamic tiles");
    RangeTensorRef from = get(pack.getSource()), around;
    if (mlir::Value value = pack.getPaddingValue())
      around = get(value);
    return eachPoint(result.shape, [&](ArrayRef<int64_t> point) -> Error {
      auto offset = offsetOf(plainPoint(pack, point), from->shape);
      if (!offset && !around)
        return createStringError("a tile without padding is not whole");
      result.cells[next++] = offset ? from->cells[*offset] : around->cells[0];
      return Error::success();
    });
  }
  if (auto unpack = dyn_cast<mlir::linalg::UnPackOp>(op)) {
    if (is_contained(unpack.getStaticInnerTiles(), mlir::ShapedType::kDynamic))
      return unsupported(op, " of dynamic tiles");
    RangeTensorRef from = get(unpack.getSource());
    return eachPoint(from->shape, [&](ArrayRef<int64_t> point) -> Error {
      if (auto offset = offsetOf(plainPoint(unpack, point), result.shape))
        result.cells[*offset] = from->cells[next];
      ++next;
      return Error::success();
    });
  }
  auto gather = dyn_cast<mlir::tensor::GatherOp>(op);
  if (!gather)
    return unsupported(op);
  RangeTensorRef source = get(gather.getSource()),
                 indices = get(gather.getIndices());
  ArrayRef<int64_t> dims = gather.getGatherDims();
  size_t batch = indices->shape.size() - 1, rank = source->shape.size();
  // The gathered dimensions have extent one in the result, or are left out.
  bool kept = result.shape.size() == batch + rank;
  return eachPoint(result.shape, [&](ArrayRef<int64_t> point) -> Error {
    int64_t row = 0;
    for (size_t d = 0; d < batch; ++d)
      row = row * indices->shape[d] + point[d];
    SmallVector<int64_t> at(rank, 0);
    for (size_t d = 0, from = batch; d < rank; ++d)
      if (kept || !is_contained(dims, int64_t(d)))
        at[d] = point[from++];
    for (auto [n, dim] : enumerate(dims)) {
      IntegerRange index = indices->cells[row * dims.size() + n].integer;
      if (!index.isPoint())
        return createStringError("an index may be several numbers");
      at[dim] = index.lo;
    }
    auto offset = offsetOf(at, source->shape);
    if (!offset)
      return createStringError("an index may be out of bounds");
    result.cells[next++] = source->cells[*offset];
    return Error::success();
  });
}
