//===- ContiguousChannels.cpp - channels that lanes run along -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ContiguousChannels.h"
#include "MatchProduct.h"

#include "pruner/Recognition/TaskFromIR.h"

#include <array>

using namespace mlir;
using namespace pruner;

/// Whether a dimension of this extent fills half a vector of f32.
static bool fillsVectors(int64_t extent, ArrayRef<Machine> machines) {
  return !machines.empty() && llvm::all_of(machines, [&](const Machine &m) {
    return m.isCpu() && 2 * extent >= m.lanes;
  });
}

static bool reducesProducts(linalg::LinalgOp op) {
  return op.getNumReductionLoops() > 0 && addsProducts(op);
}

static std::array<AffineMap, 2> inputMaps(linalg::LinalgOp op) {
  return {op.getMatchingIndexingMap(op.getDpsInputOperand(0)),
          op.getMatchingIndexingMap(op.getDpsInputOperand(1))};
}

/// The longest loop of kind `kind` that is a coordinate of both inputs.
static std::optional<unsigned> longestShared(linalg::LinalgOp op,
                                             utils::IteratorType kind) {
  std::array<AffineMap, 2> maps = inputMaps(op);
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  std::optional<unsigned> longest;
  for (auto [loop, each] : llvm::enumerate(op.getIteratorTypesArray())) {
    AffineExpr dim = getAffineDimExpr(loop, op.getContext());
    if (each == kind && maps[0].getResultPosition(dim) &&
        maps[1].getResultPosition(dim) &&
        (!longest || extents[loop] > extents[*longest]))
      longest = loop;
  }
  return longest;
}

std::optional<InputLoop>
pruner::channelsOfDepthwise(linalg::LinalgOp op, ArrayRef<Machine> machines) {
  if (!reducesProducts(op))
    return std::nullopt;
  std::optional<unsigned> channel =
      longestShared(op, utils::IteratorType::parallel);
  if (!channel || !fillsVectors(op.getStaticLoopRanges()[*channel], machines))
    return std::nullopt;
  std::array<AffineMap, 2> maps = inputMaps(op);
  auto isCoordinate = [&](AffineMap map, unsigned loop) {
    return map.getResultPosition(getAffineDimExpr(loop, op.getContext()))
        .has_value();
  };
  // The filter has all loops of the window as coordinates, the image has none.
  std::array<bool, 2> isImage = {true, true}, isFilter = {true, true};
  SmallVector<unsigned> window;
  op.getReductionDims(window);
  for (unsigned n : {0, 1})
    for (unsigned loop : window) {
      isFilter[n] &= isCoordinate(maps[n], loop);
      isImage[n] &=
          maps[n].isFunctionOfDim(loop) && !isCoordinate(maps[n], loop);
    }
  for (unsigned image : {0, 1})
    if (isImage[image] && isFilter[1 - image])
      return InputLoop{image, *channel};
  return std::nullopt;
}

std::optional<InputLoop> pruner::channelsOfProduct(linalg::LinalgOp op,
                                                   ArrayRef<Machine> machines) {
  if (!reducesProducts(op))
    return std::nullopt;
  bool first = isConstantTensor(op.getDpsInputs()[0]);
  if (first == isConstantTensor(op.getDpsInputs()[1]))
    return std::nullopt;
  std::optional<unsigned> sum =
      longestShared(op, utils::IteratorType::reduction);
  if (!sum || !fillsVectors(op.getStaticLoopRanges()[*sum], machines))
    return std::nullopt;
  return InputLoop{first ? 1u : 0u, *sum};
}
