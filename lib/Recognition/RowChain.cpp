//===- RowChain.cpp - read chains over rows -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainReader.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"

using namespace mlir;
using namespace pruner;

bool pruner::isRowChain(ArrayRef<linalg::LinalgOp> ops) {
  llvm::SmallPtrSet<Operation *, 8> reduced;
  for (linalg::LinalgOp op : ops) {
    bool uses = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Operation *producer = operand->get().getDefiningOp();
      if (!producer || !reduced.contains(producer))
        continue;
      uses = true;
      if (!op.getMatchingIndexingMap(operand).isPermutation())
        return true;
    }
    if (uses || op.getNumReductionLoops() > 0)
      reduced.insert(op);
  }
  return false;
}

namespace {

class RowChainReader : ChainReader {
public:
  explicit RowChainReader(TaskReader &reader)
      : ChainReader(reader), ops(reader.ops) {}

  LogicalResult read() {
    task.desc.rows = true;
    if (failed(findDomain()) || failed(findRows()))
      return failure();
    linalg::LinalgOp last = ops.back();
    if (reader.group.result != last->getResult(0))
      return reader.refuse(last,
                           "the task must return the result of its last op");
    reader.addTensor(last->getResult(0), reader.group.arguments.size());
    bool anchored = false;
    for (linalg::LinalgOp op : ops) {
      if (op.getNumReductionLoops() > 0 && !anchored) {
        task.desc.anchor = task.ops.size();
        anchored = true;
      }
      if (failed(addStatement(op)))
        return failure();
    }
    const StatementDesc &anchor = task.desc.anchorStatement();
    task.desc.prologues.assign(anchor.inputs.size(), -1);
    task.padValues.assign(anchor.inputs.size(), TypedAttr());
    return success();
  }

private:
  /// Sets the domain to that of the op with the most loops, and maps the loops
  /// of the other ops to it through the tensors that they share.
  LogicalResult findDomain() {
    linalg::LinalgOp full = ops.front();
    for (linalg::LinalgOp op : ops)
      if (op.getNumLoops() > full.getNumLoops())
        full = op;
    startDomain(full);
    if (failed(checkMaps(ops)))
      return failure();
    recordTensorDims(full, /*inputs=*/true);
    for (bool grown = true; grown;) {
      grown = false;
      for (linalg::LinalgOp op : ops)
        if (!loops.contains(op) && findLoops(op)) {
          recordTensorDims(op, /*inputs=*/true);
          grown = true;
        }
    }
    for (linalg::LinalgOp op : ops)
      if (!loops.contains(op))
        return reader.refuse(op, "the loops of this op of a chain over rows "
                                 "are not those of the other ops");
    return success();
  }

  /// Marks the dimensions that some op reduces: they run along rows. Every
  /// reduction must reduce all of them, and no op may have only some of them.
  LogicalResult findRows() {
    along.assign(extents.size(), false);
    for (linalg::LinalgOp op : ops)
      for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
        if (kind == utils::IteratorType::reduction)
          along[loops[op][loop]] = true;
    unsigned length = llvm::count(along, true);
    for (linalg::LinalgOp op : ops) {
      unsigned some = 0, rows = 0;
      for (unsigned d : loops[op])
        ++(along[d] ? some : rows);
      bool reduces = op.getNumReductionLoops() > 0;
      if ((some != 0 && some != length) || rows != extents.size() - length ||
          (reduces && op.getNumReductionLoops() != length))
        return reader.refuse(op, "an op of a chain over rows must iterate over "
                                 "all rows, and over all elements of a row "
                                 "or none");
      if (reduces && !getCombiner(*op.getBlock()))
        return reader.refuse(op, "a reduction in a chain over rows must "
                                 "accumulate by one associative operation");
    }
    linalg::LinalgOp last = ops.back();
    if (loops[last].size() != extents.size() || last.getNumReductionLoops() > 0)
      return reader.refuse(last, "the last op of a chain over rows must be "
                                 "elementwise over whole rows");
    return success();
  }

  ArrayRef<linalg::LinalgOp> ops;
  /// Per dimension of the domain: true if it runs along rows.
  SmallVector<bool> along;
};

} // namespace

LogicalResult pruner::readRowChain(TaskReader &reader) {
  return RowChainReader(reader).read();
}
