//===- DimensionClasses.cpp - dimensions of the same meaning --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DimensionClasses.h"

#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace pruner;

DimensionClasses::DimensionClasses(Operation *root) {
  unsigned number = 0;
  auto count = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || isConstantTensor(value))
      return;
    first.try_emplace(value, number);
    number += type.getRank();
  };
  root->walk(
      [&](Block *block) { llvm::for_each(block->getArguments(), count); });
  root->walk([&](Operation *op) { llvm::for_each(op->getResults(), count); });
  classes.grow(number);
  root->walk([&](Operation *op) { add(op); });
  classes.compress();
}

unsigned DimensionClasses::classOf(Value value, unsigned dim) const {
  return classes[first.lookup(value) + dim];
}

void DimensionClasses::join(Value a, unsigned dimOfA, Value b,
                            unsigned dimOfB) {
  auto placeA = first.find(a), placeB = first.find(b);
  if (placeA != first.end() && placeB != first.end())
    classes.join(placeA->second + dimOfA, placeB->second + dimOfB);
}

void DimensionClasses::joinGroups(Value large, Value small,
                                  ArrayRef<ReassociationIndices> groups) {
  for (auto [dim, group] : llvm::enumerate(groups))
    if (group.size() == 1)
      join(large, group.front(), small, dim);
}

void DimensionClasses::add(Operation *op) {
  auto joinAll = [&](Value a, Value b) {
    for (unsigned dim = 0, rank = cast<RankedTensorType>(a.getType()).getRank();
         dim < rank; ++dim)
      join(a, dim, b, dim);
  };
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    return joinAll(pad.getSource(), pad.getResult());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (slice.getSourceType().getRank() == slice.getType().getRank())
      joinAll(slice.getSource(), slice.getResult());
    return;
  }
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op)) {
    joinAll(slice.getDest(), slice.getResult());
    if (slice.getSourceType().getRank() == slice.getType().getRank())
      joinAll(slice.getSource(), slice.getResult());
    return;
  }
  if (auto reshape = dyn_cast<tensor::CollapseShapeOp>(op))
    return joinGroups(reshape.getSrc(), reshape.getResult(),
                      reshape.getReassociationIndices());
  if (auto reshape = dyn_cast<tensor::ExpandShapeOp>(op))
    return joinGroups(reshape.getResult(), reshape.getSrc(),
                      reshape.getReassociationIndices());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics())
    return;
  // Along a window, an input moves by sums of a parallel and a reduction loop.
  SmallVector<utils::IteratorType> kinds = linalgOp.getIteratorTypesArray();
  SmallVector<std::pair<Value, unsigned>> at(linalgOp.getNumLoops());
  auto visit = [&](Value value, AffineMap map) {
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      for (auto [loop, kind] : llvm::enumerate(kinds)) {
        if (kind != utils::IteratorType::parallel ||
            !expr.isFunctionOfDim(loop))
          continue;
        if (at[loop].first)
          join(at[loop].first, at[loop].second, value, dim);
        else
          at[loop] = {value, dim};
      }
  };
  for (OpResult result : linalgOp->getResults())
    visit(result, linalgOp.getMatchingIndexingMap(
                      linalgOp.getDpsInitOperand(result.getResultNumber())));
  for (OpOperand *operand : linalgOp.getDpsInputOperands())
    if (first.contains(operand->get()))
      visit(operand->get(), linalgOp.getMatchingIndexingMap(operand));
  for (OpOperand &operand : linalgOp.getDpsInitsMutable())
    if (!isa_and_nonnull<linalg::FillOp, tensor::EmptyOp>(
            operand.get().getDefiningOp()))
      visit(operand.get(), linalgOp.getMatchingIndexingMap(&operand));
}
