//===- Fragments.cpp - mutations of tensor cores and their copies ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Collect.h"

#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace pruner;

/// The bytes of a row that one address of `ldmatrix` selects.
static constexpr int64_t kRowBytes = 16;

/// Moves index `n` of an operand group by `by` elements.
static void addMove(Operation *op, unsigned n, int64_t by, const char *what,
                    MutationCollector &collector) {
  for (int64_t distance : {-by, by})
    collector.add(MutationKind::Neighbor, what, [op, n, distance] {
      OpBuilder builder(op);
      op->setOperand(
          n, shifted(builder, op->getLoc(), op->getOperand(n), distance));
    });
}

static void collectLoad(nvgpu::LdMatrixOp load, MutationCollector &collector) {
  OperandRange indices = load.getIndices();
  unsigned last = indices.getBeginOperandIndex() + indices.size() - 1;
  int64_t bits = load.getSrcMemref().getType().getElementTypeBitWidth();
  addMove(load, last, 8 * kRowBytes / bits, "a fragment 16 bytes further",
          collector);
  if (indices.size() > 1)
    addMove(load, last - 1, 1, "a fragment of the next row", collector);
  collector.add(MutationKind::Lane, "a fragment is transposed",
                [load]() mutable { load.setTranspose(!load.getTranspose()); });
}

static void collectCopy(nvgpu::DeviceAsyncCopyOp copy,
                        MutationCollector &collector) {
  for (OperandRange indices : {copy.getDstIndices(), copy.getSrcIndices()})
    if (!indices.empty())
      addMove(copy, indices.getBeginOperandIndex() + indices.size() - 1,
              copy.getDstElements().getSExtValue(),
              "a copy of its neighbor's elements", collector);
  collector.add(MutationKind::Store, "an asynchronous copy is left out",
                [copy]() mutable {
                  for (OpOperand &use : llvm::make_early_inc_range(
                           copy.getAsyncToken().getUses()))
                    use.getOwner()->eraseOperand(use.getOperandNumber());
                  copy.erase();
                });
}

void pruner::collectFragments(Operation *op, MutationCollector &collector) {
  if (auto load = dyn_cast<nvgpu::LdMatrixOp>(op))
    collectLoad(load, collector);
  else if (auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op))
    collectCopy(copy, collector);
  else if (auto product = dyn_cast<nvgpu::MmaSyncOp>(op))
    collector.add(MutationKind::Skipped, "a tensor product is left out",
                  [product]() mutable {
                    product.getResult().replaceAllUsesWith(
                        product.getMatrixC());
                    product.erase();
                  });
}
