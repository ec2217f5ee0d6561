//===- RowChain.cpp - read chains over rows -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskReader.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Recognition/ScalarOps.h"

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

class ChainReader {
public:
  explicit ChainReader(TaskReader &reader)
      : reader(reader), task(reader.task), ops(reader.ops) {}

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
  using Dims = SmallVector<unsigned, 6>;

  /// Sets the domain to that of the op with the most loops, and maps the loops
  /// of the other ops to it through the tensors that they share.
  LogicalResult findDomain() {
    linalg::LinalgOp full = ops.front();
    for (linalg::LinalgOp op : ops)
      if (op.getNumLoops() > full.getNumLoops())
        full = op;
    extents = full.getStaticLoopRanges();
    Dims identity;
    for (unsigned d = 0; d < extents.size(); ++d)
      identity.push_back(d);
    loops[full] = identity;
    for (linalg::LinalgOp op : ops)
      for (auto [n, map] : llvm::enumerate(op.getIndexingMapsArray()))
        if (!map.isProjectedPermutation())
          return reader.refuse(op, "map #" + Twine(n) +
                                       " of an op of a chain over rows is not "
                                       "a projected permutation");
    recordTensorDims(full);
    for (bool grown = true; grown;) {
      grown = false;
      for (linalg::LinalgOp op : ops)
        if (!loops.contains(op) && findLoops(op)) {
          recordTensorDims(op);
          grown = true;
        }
    }
    for (linalg::LinalgOp op : ops)
      if (!loops.contains(op))
        return reader.refuse(op, "the loops of this op of a chain over rows "
                                 "are not those of the other ops");
    return success();
  }

  /// Calls `use` with each tensor that `op` reads or writes, and with its map.
  static void forEachTensor(linalg::LinalgOp op,
                            function_ref<void(Value, AffineMap)> use) {
    for (OpOperand *operand : op.getDpsInputOperands())
      if (isRead(*operand))
        use(operand->get(), op.getMatchingIndexingMap(operand));
    use(op->getResult(0), outputMapOf(op));
  }

  /// Records the domain dimensions of the coordinates of the op's tensors.
  void recordTensorDims(linalg::LinalgOp op) {
    forEachTensor(op, [&](Value value, AffineMap map) {
      Dims dims;
      for (AffineExpr expr : map.getResults())
        dims.push_back(loops[op][cast<AffineDimExpr>(expr).getPosition()]);
      coordinates.try_emplace(value, dims);
    });
  }

  bool findLoops(linalg::LinalgOp op) {
    constexpr unsigned unknown = ~0u;
    Dims found(op.getNumLoops(), unknown);
    forEachTensor(op, [&](Value value, AffineMap map) {
      auto known = coordinates.find(value);
      if (known == coordinates.end())
        return;
      for (auto [expr, dim] : llvm::zip_equal(map.getResults(), known->second))
        found[cast<AffineDimExpr>(expr).getPosition()] = dim;
    });
    // A set cannot hold that number.
    if (llvm::is_contained(found, unknown))
      return false;
    llvm::SmallDenseSet<unsigned> distinct(found.begin(), found.end());
    if (distinct.size() != found.size())
      return false;
    loops[op] = found;
    return true;
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

  LogicalResult addStatement(linalg::LinalgOp op) {
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
  AccessMap inDomain(linalg::LinalgOp op, AffineMap map) {
    AccessMap result;
    for (AffineExpr expr : map.getResults()) {
      LinearExpr linear;
      linear.coeffs.assign(extents.size(), 0);
      linear.coeffs[loops[op][cast<AffineDimExpr>(expr).getPosition()]] = 1;
      result.push_back(std::move(linear));
    }
    return result;
  }

  TaskReader &reader;
  TaskIR &task;
  ArrayRef<linalg::LinalgOp> ops;
  SmallVector<int64_t> extents;
  /// Per dimension of the domain: true if it runs along rows.
  SmallVector<bool> along;
  /// The domain dimension of each loop, and of each tensor coordinate.
  llvm::DenseMap<Operation *, Dims> loops;
  llvm::DenseMap<Value, Dims> coordinates;
};

} // namespace

LogicalResult pruner::readRowChain(TaskReader &reader) {
  return ChainReader(reader).read();
}
