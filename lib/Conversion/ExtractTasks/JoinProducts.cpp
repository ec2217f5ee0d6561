//===- JoinProducts.cpp - products with the rows between them -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskGroups.h"

using namespace mlir;
using namespace pruner;

/// The product of two tensors in `group`, or null.
static linalg::LinalgOp productOf(const GroupOps &group) {
  for (Operation *op : group)
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
        linalgOp && linalgOp.getNumReductionLoops() > 0)
      return linalg::isaContractionOpInterface(linalgOp) ? linalgOp : nullptr;
  return nullptr;
}

/// The group whose last op computes `value`, or null. If ops other than those
/// of `reader` read it, it cannot be part of a joined group.
static GroupOps *producerOf(llvm::SmallVectorImpl<GroupOps> &groups,
                            Value value, const GroupOps &reader) {
  Operation *producer = value.getDefiningOp();
  auto *found = llvm::find_if(groups, [&](const GroupOps &group) {
    return !group.empty() && group.back() == producer;
  });
  if (found == groups.end() ||
      !llvm::all_of(producer->getUsers(),
                    [&](Operation *user) { return reader.contains(user); }))
    return nullptr;
  return found;
}

/// A value from outside of `group` that `op` reads and a group may compute.
static GroupOps *feederOf(llvm::SmallVectorImpl<GroupOps> &groups,
                          const GroupOps &reader) {
  for (Operation *op : reader)
    for (Value operand : op->getOperands())
      if (GroupOps *found = producerOf(groups, operand, reader);
          found && productOf(*found))
        return found;
  return nullptr;
}

/// Removes from the group `second` the ops before `product` that do not read
/// the result of `rows`, and returns them: they compute the other factor.
static GroupOps takeOtherFactor(GroupOps &second, Operation *product,
                                const GroupOps &rows) {
  GroupOps taken, dependent;
  auto reads = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return producer &&
             (producer == rows.back() || dependent.contains(producer));
    });
  };
  for (Operation *op : second) {
    if (op == product)
      break;
    (reads(op) ? dependent : taken).insert(op);
  }
  // A pad alone cannot be a task.
  if (!llvm::all_of(taken, llvm::IsaPred<linalg::LinalgOp>))
    return {};
  second.remove_if([&](Operation *op) { return taken.contains(op); });
  return taken;
}

std::vector<JoinedGroups> pruner::findJoinedProducts(
    llvm::SmallVectorImpl<GroupOps> &chains,
    llvm::SmallVectorImpl<GroupOps> &groups,
    llvm::function_ref<bool(const JoinedGroups &)> joins) {
  std::vector<JoinedGroups> joined;
  llvm::SmallVector<GroupOps> factors;
  for (GroupOps &second : groups) {
    linalg::LinalgOp product = productOf(second);
    if (!product)
      continue;
    const GroupOps whole = second;
    for (Value operand : product.getDpsInputs()) {
      GroupOps *chain = producerOf(chains, operand, second);
      GroupOps *first = chain ? feederOf(groups, *chain)
                              : producerOf(groups, operand, second);
      if (!first || first == &second || !productOf(*first))
        continue;
      GroupOps factor =
          takeOtherFactor(second, product, chain ? *chain : *first);
      JoinedGroups all;
      for (GroupOps *part : {first, chain, &second})
        if (part) {
          all.parts.push_back(*part);
          all.ops.insert(part->begin(), part->end());
        }
      if (!joins(all)) {
        second = whole;
        continue;
      }
      joined.push_back(std::move(all));
      if (!factor.empty())
        factors.push_back(std::move(factor));
      for (GroupOps *part : {first, chain, &second})
        if (part)
          part->clear();
      break;
    }
  }
  auto isEmpty = [](const GroupOps &group) { return group.empty(); };
  llvm::erase_if(chains, isEmpty);
  llvm::erase_if(groups, isEmpty);
  llvm::append_range(groups, factors);
  return joined;
}
