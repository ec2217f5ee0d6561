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

std::vector<JoinedGroups> pruner::findJoinedProducts(
    llvm::SmallVectorImpl<GroupOps> &chains,
    llvm::SmallVectorImpl<GroupOps> &groups,
    llvm::function_ref<bool(const JoinedGroups &)> joins) {
  std::vector<JoinedGroups> joined;
  for (GroupOps &second : groups) {
    linalg::LinalgOp product = productOf(second);
    if (!product)
      continue;
    for (Value operand : product.getDpsInputs()) {
      GroupOps *chain = producerOf(chains, operand, second);
      GroupOps *first = chain ? feederOf(groups, *chain)
                              : producerOf(groups, operand, second);
      if (!first || first == &second || !productOf(*first))
        continue;
      JoinedGroups all;
      for (GroupOps *part : {first, chain, &second})
        if (part) {
          all.parts.push_back(*part);
          all.ops.insert(part->begin(), part->end());
        }
      if (!joins(all))
        continue;
      joined.push_back(std::move(all));
      for (GroupOps *part : {first, chain, &second})
        if (part)
          part->clear();
      break;
    }
  }
  auto isEmpty = [](const GroupOps &group) { return group.empty(); };
  llvm::erase_if(chains, isEmpty);
  llvm::erase_if(groups, isEmpty);
  return joined;
}
