//===- Accesses.cpp - mutations of addresses, stores and lanes ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Collect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

/// The operand that is the last index of a load or store, if it has one.
static std::optional<unsigned> lastIndex(Operation *op) {
  auto last = [](OperandRange indices) -> std::optional<unsigned> {
    if (indices.empty())
      return std::nullopt;
    return indices.getBeginOperandIndex() + indices.size() - 1;
  };
  if (auto access = dyn_cast<memref::LoadOp>(op))
    return last(access.getIndices());
  if (auto access = dyn_cast<memref::StoreOp>(op))
    return last(access.getIndices());
  if (auto access = dyn_cast<vector::LoadOp>(op))
    return last(access.getIndices());
  if (auto access = dyn_cast<vector::StoreOp>(op))
    return last(access.getIndices());
  if (auto access = dyn_cast<vector::MaskedLoadOp>(op))
    return last(access.getIndices());
  if (auto access = dyn_cast<vector::MaskedStoreOp>(op))
    return last(access.getIndices());
  return std::nullopt;
}

/// The operand that a store writes.
static std::optional<unsigned> storedOperand(Operation *op) {
  if (isa<memref::StoreOp, vector::StoreOp>(op))
    return 0;
  if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
    return op->getNumOperands() - 1;
  return std::nullopt;
}

/// An index operation with a constant operand, which changes by `by`.
static void addConstantOperand(Operation *op, MutationKind kind,
                               const char *what, MutationCollector &collector) {
  for (unsigned n = 0; n < op->getNumOperands(); ++n)
    if (matchPattern(op->getOperand(n), m_Constant()))
      for (int64_t by : {-1, 1})
        collector.add(kind, what, [op, n, by] {
          OpBuilder builder(op);
          op->setOperand(n,
                         shifted(builder, op->getLoc(), op->getOperand(n), by));
        });
}

void pruner::collectAccesses(Operation *op, MutationCollector &collector) {
  if (op->getNumResults() == 1 && op->getResult(0).getType().isIndex()) {
    if (isa<arith::MulIOp>(op))
      addConstantOperand(op, MutationKind::Stride, "a stride off by one",
                         collector);
    else if (isa<arith::AddIOp>(op))
      addConstantOperand(op, MutationKind::Neighbor, "an offset off by one",
                         collector);
    else if (isa<arith::SubIOp>(op))
      addConstantOperand(op, MutationKind::Tail, "an extent off by one",
                         collector);
    return;
  }
  std::string name = op->getName().getStringRef().str();
  if (auto last = lastIndex(op))
    for (int64_t by : {-1, 1})
      collector.add(MutationKind::Neighbor, name + " next to its element",
                    [op, n = *last, by] {
                      OpBuilder builder(op);
                      op->setOperand(n, shifted(builder, op->getLoc(),
                                                op->getOperand(n), by));
                    });
  auto stored = storedOperand(op);
  if (!stored)
    return;
  collector.add(MutationKind::Store, name + " is left out",
                [op] { op->erase(); });
  if (isFloatLike(op->getOperand(*stored).getType()))
    collector.add(
        MutationKind::Scale, name + " of a scaled value", [op, n = *stored] {
          OpBuilder builder(op);
          op->setOperand(n, scaled(builder, op->getLoc(), op->getOperand(n)));
        });
}

/// `vector` with zero, or with the value of another lane, in lane `lane`.
static Value withoutLane(OpBuilder &builder, Location loc, Value vector,
                         int64_t lane, std::optional<int64_t> other) {
  auto type = cast<VectorType>(vector.getType());
  Value value =
      other
          ? vector::ExtractOp::create(builder, loc, vector, *other).getResult()
          : arith::ConstantOp::create(
                builder, loc, builder.getZeroAttr(type.getElementType()))
                .getResult();
  return vector::InsertOp::create(builder, loc, value, vector, lane);
}

/// The vector that `op` loads, stores or rearranges.
static std::optional<unsigned> lanesOperand(Operation *op, bool &isResult) {
  isResult = isa<vector::LoadOp, vector::MaskedLoadOp, vector::ShuffleOp>(op);
  return isResult ? 0 : storedOperand(op);
}

void pruner::collectLanes(Operation *op, MutationCollector &collector) {
  bool isResult = false;
  auto operand = lanesOperand(op, isResult);
  if (!operand)
    return;
  Value vector = isResult ? op->getResult(0) : op->getOperand(*operand);
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type || type.getRank() != 1 || type.getNumElements() < 2)
    return;
  int64_t lanes = type.getNumElements();
  std::string name = op->getName().getStringRef().str();
  auto add = [&](std::string what, int64_t lane, std::optional<int64_t> other) {
    collector.add(MutationKind::Lane, name + what, [=, n = *operand] {
      OpBuilder builder(op);
      if (!isResult) {
        op->setOperand(n,
                       withoutLane(builder, op->getLoc(), vector, lane, other));
        return;
      }
      // The rewrite itself reads the original vector.
      SmallVector<OpOperand *> uses(llvm::make_pointer_range(vector.getUses()));
      builder.setInsertionPointAfter(op);
      Value spoilt = withoutLane(builder, op->getLoc(), vector, lane, other);
      for (OpOperand *use : uses)
        use->set(spoilt);
    });
  };
  add(" loses its last lane", lanes - 1, std::nullopt);
  add(" takes its first lane from the second", 0, 1);
}
