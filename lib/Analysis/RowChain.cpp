//===- RowChain.cpp - reading chains over rows ----------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowChain.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"

using namespace mlir;
using namespace pruner;

static AffineMap outputMap(linalg::LinalgOp op) {
  return op.getMatchingIndexingMap(op.getDpsInitOperand(0));
}

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
  ChainReader(func::FuncOp func, ArrayRef<linalg::LinalgOp> ops,
              TensorNumbers &numbers, TaskIR &task)
      : func(func), ops(ops), numbers(numbers), task(task) {}

  LogicalResult read() {
    task.desc.rows = true;
    if (failed(findDomain()) || failed(findRows()))
      return failure();
    linalg::LinalgOp last = ops.back();
    if (func.getBody().front().getTerminator()->getOperand(0) !=
        last->getResult(0))
      return last.emitError("the task must return the result of its last op");
    if (failed(numbers.add(last->getResult(0), func.getNumArguments(), last)))
      return failure();
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
    task.initValue = task.initValues[task.desc.anchor];
    return success();
  }

private:
  using Dims = SmallVector<unsigned, 6>;

  /// The domain is that of the op with most loops; the loops of the others are
  /// found by the tensors that they share.
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
          return op.emitError("map #")
                 << n << " of an op of a chain over rows, "
                 << AffineMapAttr::get(map)
                 << ", is not a projected permutation";
    learnTensors(full);
    for (bool grown = true; grown;) {
      grown = false;
      for (linalg::LinalgOp op : ops)
        if (!loops.contains(op) && findLoops(op)) {
          learnTensors(op);
          grown = true;
        }
    }
    for (linalg::LinalgOp op : ops) {
      if (!loops.contains(op))
        return op.emitError("the loops of this op of a chain over rows are not "
                            "those of the other ops");
      for (auto [loop, extent] : llvm::enumerate(op.getStaticLoopRanges()))
        if (extent != extents[loops[op][loop]] || extent < 1)
          return op.emitError("loop ")
                 << loop << " has " << extent
                 << " iterations, the chain over rows has "
                 << extents[loops[op][loop]];
    }
    return success();
  }

  /// What the coordinates of the op's tensors are in the domain.
  void learnTensors(linalg::LinalgOp op) {
    auto learn = [&](Value value, AffineMap map) {
      Dims dims;
      for (AffineExpr expr : map.getResults())
        dims.push_back(loops[op][cast<AffineDimExpr>(expr).getPosition()]);
      coordinates.try_emplace(value, dims);
    };
    for (OpOperand *operand : op.getDpsInputOperands())
      learn(operand->get(), op.getMatchingIndexingMap(operand));
    learn(op->getResult(0), outputMap(op));
  }

  bool findLoops(linalg::LinalgOp op) {
    constexpr unsigned unknown = ~0u;
    Dims found(op.getNumLoops(), unknown);
    auto use = [&](Value value, AffineMap map) {
      auto known = coordinates.find(value);
      if (known == coordinates.end())
        return;
      for (auto [expr, dim] : llvm::zip_equal(map.getResults(), known->second))
        found[cast<AffineDimExpr>(expr).getPosition()] = dim;
    };
    for (OpOperand *operand : op.getDpsInputOperands())
      use(operand->get(), op.getMatchingIndexingMap(operand));
    use(op->getResult(0), outputMap(op));
    llvm::SmallDenseSet<unsigned> distinct(found.begin(), found.end());
    if (llvm::is_contained(found, unknown) || distinct.size() != found.size())
      return false;
    loops[op] = found;
    return true;
  }

  /// Dimensions that some op reduces run along rows; all reductions reduce all
  /// of them, and no op has only some of them.
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
        return op.emitError("an op of a chain over rows iterates all rows, and "
                            "all elements of a row or none");
      if (outputMap(op).getNumResults() != op.getNumParallelLoops())
        return op.emitError("output map ")
               << AffineMapAttr::get(outputMap(op))
               << " is not a permutation of the parallel dimensions";
      if (reduces && !getCombiner(*op.getBlock()))
        return op.emitError("a reduction in a chain over rows accumulates by "
                            "one associative operation");
    }
    linalg::LinalgOp last = ops.back();
    if (loops[last].size() != extents.size() || last.getNumReductionLoops() > 0)
      return last.emitError(
          "the last op of a chain over rows is elementwise over whole rows");
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
    auto access = [&](Value value, AffineMap map,
                      OperandDesc &out) -> LogicalResult {
      bool own = llvm::any_of(ops, [&](linalg::LinalgOp other) {
        return other.getOperation() == value.getDefiningOp();
      });
      if (!isa<BlockArgument>(value) && !own)
        return op.emitError("an operand is neither an argument of the function "
                            "nor the result of an op of the task");
      FailureOr<int> tensor = numbers.add(value, -1, op);
      if (failed(tensor))
        return failure();
      out.tensor = *tensor;
      for (AffineExpr expr : map.getResults()) {
        LinearExpr linear;
        linear.coeffs.assign(extents.size(), 0);
        linear.coeffs[loops[op][cast<AffineDimExpr>(expr).getPosition()]] = 1;
        out.map.push_back(std::move(linear));
      }
      return success();
    };
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (!op.payloadUsesValueFromOperand(operand))
        continue;
      if (failed(access(operand->get(), op.getMatchingIndexingMap(operand),
                        statement.inputs.emplace_back())))
        return failure();
      operands.push_back(operand->getOperandNumber());
    }
    if (failed(access(op->getResult(0), outputMap(op), statement.output)))
      return failure();
    TypedAttr start;
    OpOperand *init = op.getDpsInitOperand(0);
    if (op.getNumReductionLoops() > 0) {
      auto fill = init->get().getDefiningOp<linalg::FillOp>();
      if (!fill)
        return op.emitError("a reduction in a chain over rows starts from a "
                            "constant");
      if (failed(readFill(fill, start)))
        return failure();
      statement.associative = true;
    } else if (op.payloadUsesValueFromOperand(init)) {
      return op.emitError("an elementwise op that reads its output operand "
                          "cannot be tuned");
    }
    statement.ops = countOps(*op.getBlock());
    task.ops.push_back(op);
    task.operands.push_back(std::move(operands));
    task.initValues.push_back(start);
    task.desc.statements.push_back(std::move(statement));
    return success();
  }

  func::FuncOp func;
  ArrayRef<linalg::LinalgOp> ops;
  TensorNumbers &numbers;
  TaskIR &task;
  SmallVector<int64_t> extents;
  /// Per dimension of the domain: it runs along rows.
  SmallVector<bool> along;
  /// The dimension of the domain of each loop, and of each tensor coordinate.
  llvm::DenseMap<Operation *, Dims> loops;
  llvm::DenseMap<Value, Dims> coordinates;
};

} // namespace

LogicalResult pruner::readRowChain(func::FuncOp func,
                                   ArrayRef<linalg::LinalgOp> ops,
                                   TensorNumbers &numbers, TaskIR &task) {
  return ChainReader(func, ops, numbers, task).read();
}
