//===- LoopGroups.cpp - loops for the dimensions of a task ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoopGroups.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pruner;

namespace {
using Groups = SmallVector<SmallVector<unsigned, 2>>;
} // namespace

/// Divides `loops` into runs whose extents multiply to those of `dims`, in
/// order.
static bool cut(ArrayRef<unsigned> dims, const TaskDesc &task,
                ArrayRef<unsigned> loops, ArrayRef<int64_t> extents,
                Groups &groups) {
  size_t next = 0;
  for (unsigned dim : dims) {
    int64_t wanted = task.anchorStatement().dims[dim].extent, product = 1;
    while (product < wanted && next < loops.size()) {
      unsigned loop = loops[next++];
      product *= extents[loop];
      if (extents[loop] > 1)
        groups[dim].push_back(loop);
    }
    if (product != wanted)
      return false;
  }
  return llvm::all_of(loops.drop_front(next),
                      [&](unsigned loop) { return extents[loop] == 1; });
}

/// Assigns loops to dimensions in another order, by equal extents.
static bool pair(ArrayRef<unsigned> dims, const TaskDesc &task,
                 ArrayRef<unsigned> loops, ArrayRef<int64_t> extents,
                 Groups &groups) {
  SmallVector<unsigned> left(loops);
  llvm::erase_if(left, [&](unsigned loop) { return extents[loop] == 1; });
  for (unsigned dim : dims) {
    int64_t wanted = task.anchorStatement().dims[dim].extent;
    if (wanted == 1)
      continue;
    auto *same =
        llvm::find_if(left, [&](unsigned l) { return extents[l] == wanted; });
    if (same == left.end())
      return false;
    groups[dim].assign({*same});
    left.erase(same);
  }
  return left.empty();
}

static bool assign(ArrayRef<unsigned> dims, const TaskDesc &task,
                   ArrayRef<unsigned> loops, ArrayRef<int64_t> extents,
                   Groups &groups) {
  if (cut(dims, task, loops, extents, groups))
    return true;
  for (unsigned dim : dims)
    groups[dim].clear();
  return pair(dims, task, loops, extents, groups);
}

std::optional<Groups> pruner::groupLoops(const TaskDesc &task,
                                         linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  SmallVector<unsigned> coordinates, reductions, outputDims, reducedDims;
  for (AffineExpr expr :
       op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return std::nullopt;
    coordinates.push_back(dim.getPosition());
  }
  op.getReductionDims(reductions);
  llvm::append_range(outputDims, task.outputDims());
  ArrayRef<IterDim> dims = task.anchorStatement().dims;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d].reduction)
      reducedDims.push_back(d);
  Groups groups(dims.size());
  if (!assign(outputDims, task, coordinates, extents, groups) ||
      !assign(reducedDims, task, reductions, extents, groups))
    return std::nullopt;
  return groups;
}

void pruner::spreadTile(int64_t size, ArrayRef<unsigned> loops,
                        ArrayRef<int64_t> extents,
                        MutableArrayRef<int64_t> sizes) {
  for (unsigned loop : llvm::reverse(loops)) {
    sizes[loop] = std::min(size, extents[loop]);
    size = int64_t(llvm::divideCeil(size, extents[loop]));
  }
}
