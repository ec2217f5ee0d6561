//===- ChainReader.cpp - read the statements of chains --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainReader.h"

#include "pruner/Recognition/ScalarOps.h"

using namespace mlir;
using namespace pruner;

LogicalResult ChainReader::checkMaps(ArrayRef<linalg::LinalgOp> ops) const {
  for (linalg::LinalgOp op : ops)
    for (auto [n, map] : llvm::enumerate(op.getIndexingMapsArray()))
      if (!map.isProjectedPermutation())
        return reader.refuse(op, "map #" + Twine(n) +
                                     " of an op of a chain over rows is not "
                                     "a projected permutation");
  return success();
}

void ChainReader::startDomain(linalg::LinalgOp op) {
  extents = op.getStaticLoopRanges();
  Dims identity;
  for (unsigned d = 0; d < extents.size(); ++d)
    identity.push_back(d);
  loops[op] = identity;
}

/// Calls `use` with each tensor that `op` reads or writes, and with its map.
static void forEachTensor(linalg::LinalgOp op,
                          function_ref<void(Value, AffineMap)> use) {
  for (OpOperand *operand : op.getDpsInputOperands())
    if (isRead(*operand))
      use(operand->get(), op.getMatchingIndexingMap(operand));
  use(op->getResult(0), outputMapOf(op));
}

void ChainReader::recordTensorDims(linalg::LinalgOp op, bool inputs) {
  forEachTensor(op, [&](Value value, AffineMap map) {
    if (!inputs && value != op->getResult(0))
      return;
    Dims dims;
    for (AffineExpr expr : map.getResults())
      dims.push_back(loops[op][cast<AffineDimExpr>(expr).getPosition()]);
    coordinates.try_emplace(value, dims);
  });
}

bool ChainReader::findLoops(linalg::LinalgOp op, bool extend) {
  constexpr unsigned unknown = ~0u;
  Dims found(op.getNumLoops(), unknown);
  forEachTensor(op, [&](Value value, AffineMap map) {
    auto known = coordinates.find(value);
    if (known == coordinates.end())
      return;
    for (auto [expr, dim] : llvm::zip_equal(map.getResults(), known->second))
      found[cast<AffineDimExpr>(expr).getPosition()] = dim;
  });
  if (extend)
    for (auto [dim, extent] : llvm::zip_equal(found, op.getStaticLoopRanges()))
      if (dim == unknown) {
        dim = extents.size();
        extents.push_back(extent);
      }
  // A set cannot hold that number.
  if (llvm::is_contained(found, unknown))
    return false;
  llvm::SmallDenseSet<unsigned> distinct(found.begin(), found.end());
  if (distinct.size() != found.size())
    return false;
  loops[op] = found;
  return true;
}

LogicalResult ChainReader::addStatement(linalg::LinalgOp op) {
  StatementDesc statement;
  auto kinds = op.getIteratorTypesArray();
  statement.dims.assign(extents.size(), IterDim());
  for (auto [loop, d] : llvm::enumerate(loops[op]))
    statement.dims[d] = {extents[d],
                         kinds[loop] == utils::IteratorType::reduction};
  SmallVector<unsigned, 4> operands;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!isRead(*operand))
      continue;
    FailureOr<int> tensor = reader.findTensor(*operand, operand->get());
    if (failed(tensor))
      return failure();
    statement.inputs.push_back(
        {*tensor, inDomain(op, op.getMatchingIndexingMap(operand))});
    operands.push_back(operand->getOperandNumber());
  }
  statement.output = {reader.addTensor(op->getResult(0)),
                      inDomain(op, outputMapOf(op))};
  TypedAttr start;
  if (op.getNumReductionLoops() > 0) {
    start = fillValueOf(op.getDpsInits()[0]);
    if (!start)
      return reader.refuse(
          op, "a reduction in a chain over rows must start from a constant");
    statement.associative = true;
  }
  statement.ops = countOps(op);
  task.ops.push_back(op);
  task.operands.push_back(std::move(operands));
  task.initValues.push_back(start);
  task.desc.statements.push_back(std::move(statement));
  return success();
}

/// The `map` of `op`, rewritten to the dimensions of the domain.
AccessMap ChainReader::inDomain(linalg::LinalgOp op, AffineMap map) {
  AccessMap result;
  for (AffineExpr expr : map.getResults()) {
    LinearExpr linear;
    linear.coeffs.assign(extents.size(), 0);
    linear.coeffs[loops[op][cast<AffineDimExpr>(expr).getPosition()]] = 1;
    result.push_back(std::move(linear));
  }
  return result;
}
