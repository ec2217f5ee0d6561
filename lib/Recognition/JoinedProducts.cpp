//===- JoinedProducts.cpp - read chains between products ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChainReader.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Recognition/Operands.h"
#include "pruner/Recognition/ScalarOps.h"

using namespace mlir;
using namespace pruner;

static bool reduces(linalg::LinalgOp op) {
  return op.getNumReductionLoops() > 0;
}

bool pruner::joinsProducts(ArrayRef<linalg::LinalgOp> ops) {
  const auto *first = llvm::find_if(ops, reduces);
  auto last = llvm::find_if(llvm::reverse(ops), reduces);
  return first != ops.end() && *first != *last &&
         linalg::isaContractionOpInterface(*first) &&
         linalg::isaContractionOpInterface(*last);
}

namespace {

class JoinedReader : ChainReader {
public:
  explicit JoinedReader(TaskReader &reader) : ChainReader(reader) {}

  LogicalResult read() {
    task.desc.rows = true;
    auto isReduction = [](linalg::LinalgOp op) { return reduces(op); };
    auto *begin = llvm::find_if(reader.ops, isReduction);
    chain.assign(begin, reader.ops.end());
    first = chain.front();
    second = *llvm::find_if(llvm::reverse(chain), isReduction);
    if (failed(findPrologues()) || failed(checkMaps(chain)) ||
        failed(findDomain()) || failed(findKinds()) || failed(checkChain()))
      return failure();
    return addStatements();
  }

private:
  /// The ops before the first product, each of which computes one of its
  /// inputs.
  LogicalResult findPrologues() {
    if (reader.group.ops.size() != reader.ops.size())
      return reader.refuse(first,
                           "inputs of a chain between products cannot be "
                           "padded");
    prologues.assign(first.getNumDpsInputs(), {});
    for (linalg::LinalgOp op : reader.ops) {
      if (op == first)
        return success();
      Value result = op->getResult(0);
      int number = -1;
      for (auto [n, value] : llvm::enumerate(first.getDpsInputs()))
        if (value == result)
          number = n;
      if (number < 0 || !result.hasOneUse())
        return reader.refuse(op, "the op is not the producer of one input of "
                                 "the first product");
      prologues[number] = op;
    }
    return success();
  }

  /// The domain consists of the loops of the first product and those loops of
  /// the second that are new. Only results of the chain relate loops to one
  /// another, because both products may read the same argument.
  LogicalResult findDomain() {
    startDomain(first);
    recordTensorDims(first, /*inputs=*/false);
    for (linalg::LinalgOp op : ArrayRef(chain).drop_front()) {
      if (!findLoops(op, /*extend=*/op == second))
        return reader.refuse(op, "the loops of this op of a chain between "
                                 "products are not those of the other ops");
      recordTensorDims(op, /*inputs=*/false);
    }
    return success();
  }

  LogicalResult findKinds() {
    auto firstKinds = first.getIteratorTypesArray();
    kinds.assign(extents.size(), DimKind::Columns);
    for (auto [d, kind] : llvm::enumerate(firstKinds))
      kinds[d] = kind == utils::IteratorType::reduction ? DimKind::Terms
                                                        : DimKind::Parallel;
    for (auto [loop, kind] : llvm::enumerate(second.getIteratorTypesArray())) {
      unsigned d = loops[second][loop];
      if (kind != utils::IteratorType::reduction)
        continue;
      if (kinds[d] != DimKind::Parallel)
        return reader.refuse(second, "the second product of a chain must "
                                     "reduce only results of the first");
      kinds[d] = DimKind::Reduction;
    }
    for (DimKind kind : {DimKind::Reduction, DimKind::Columns})
      if (!llvm::is_contained(kinds, kind))
        return reader.refuse(second, kind == DimKind::Columns
                                         ? "the second product of a chain must "
                                           "have columns of its own"
                                         : "the second product of a chain must "
                                           "reduce results of the first");
    return success();
  }

  /// The number of dimensions of `kind`, and how many of them `op` iterates.
  std::pair<unsigned, unsigned> count(linalg::LinalgOp op, DimKind kind) {
    unsigned used =
        llvm::count_if(loops[op], [&](unsigned d) { return kinds[d] == kind; });
    return {llvm::count(kinds, kind), used};
  }

  LogicalResult checkChain() {
    bool behind = false;
    for (linalg::LinalgOp op : chain) {
      if (op == first)
        continue;
      auto [rows, ownRows] = count(op, DimKind::Parallel);
      auto [along, ownAlong] = count(op, DimKind::Reduction);
      auto [terms, ownTerms] = count(op, DimKind::Terms);
      auto [columns, ownColumns] = count(op, DimKind::Columns);
      bool whole = ownRows == rows && ownTerms == 0;
      if (op == second) {
        behind = true;
        if (!whole || ownAlong != along || ownColumns != columns)
          return reader.refuse(op, "the second product of a chain must iterate "
                                   "over all rows and their elements");
        continue;
      }
      if (behind) {
        if (op != chain.back() || !whole || ownAlong != 0 ||
            ownColumns != columns || !readsResult(op))
          return reader.refuse(op, "only one elementwise op that reads its "
                                   "result once may follow the second "
                                   "product of a chain");
        continue;
      }
      if (!whole || ownColumns != 0 || (ownAlong != 0 && ownAlong != along) ||
          (reduces(op) && op.getNumReductionLoops() != along))
        return reader.refuse(op, "an op between two products must iterate over "
                                 "all rows, and over all elements of a row or "
                                 "none");
      if (reduces(op) && !getCombiner(*op.getBlock()))
        return reader.refuse(op, "a reduction in a chain over rows must "
                                 "accumulate by one associative operation");
    }
    if (reader.group.result != chain.back()->getResult(0))
      return reader.refuse(chain.back(),
                           "the task must return the result of its last op");
    return success();
  }

  /// Whether `op` alone reads the result of the second product, once, where the
  /// product writes it.
  bool readsResult(linalg::LinalgOp op) {
    Value result = second->getResult(0);
    if (!result.hasOneUse())
      return false;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (operand->get() == result)
        return op.getMatchingIndexingMap(operand).isPermutation();
    return false;
  }

  LogicalResult addStatements() {
    reader.addTensor(chain.back()->getResult(0), reader.group.arguments.size());
    for (linalg::LinalgOp op : prologues) {
      task.desc.prologues.push_back(op ? int(task.ops.size()) : -1);
      if (op && failed(addPrologue(op)))
        return failure();
    }
    task.desc.anchor = task.ops.size();
    for (linalg::LinalgOp op : chain)
      if (failed(addStatement(op)))
        return failure();
    if (task.desc.anchorStatement().inputs.size() != 2)
      return reader.refuse(first, "a chain between products must begin with a "
                                  "product of two tensors");
    task.padValues.assign(task.desc.anchorStatement().inputs.size(),
                          TypedAttr());
    for (auto [d, extent] : llvm::enumerate(extents))
      task.desc.domain.push_back({extent, kinds[d] == DimKind::Reduction ||
                                              kinds[d] == DimKind::Terms});
    task.desc.domainKinds.assign(kinds.begin(), kinds.end());
    for (int number : {task.desc.anchor, task.desc.secondProduct()}) {
      StatementDesc &product = task.desc.statements[number];
      linalg::LinalgOp op = task.ops[number];
      if (product.inputs.size() != 2)
        continue;
      product.product = matchExactProduct(*op.getBlock());
      product.tensorFloats = multipliesTensorFloats(*op.getBlock());
    }
    return success();
  }

  LogicalResult addPrologue(linalg::LinalgOp op) {
    return readOwnLoops(
        reader, op,
        [&](OpOperand &operand, OperandDesc &input) -> LogicalResult {
          FailureOr<int> tensor = reader.findTensor(operand, operand.get());
          if (failed(tensor))
            return failure();
          input = {*tensor, *toAccessMap(op.getMatchingIndexingMap(&operand))};
          return success();
        });
  }

  SmallVector<linalg::LinalgOp> chain, prologues;
  linalg::LinalgOp first, second;
  SmallVector<DimKind> kinds;
};

} // namespace

LogicalResult pruner::readJoinedProducts(TaskReader &reader) {
  return JoinedReader(reader).read();
}
