//===- HoistAllocas.cpp - one stack slot per buffer -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/KernelToLLVM/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace pruner {
#define GEN_PASS_DEF_HOISTALLOCASPASS
#include "pruner/Conversion/KernelToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// The block for the slot. Every thread of a parallel loop needs its own slot.
static Block *slotBlock(memref::AllocaOp op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp()) {
    if (auto parallel = dyn_cast<scf::ParallelOp>(parent))
      return parallel.getBody();
    if (auto parallel = dyn_cast<omp::ParallelOp>(parent))
      return &parallel.getRegion().front();
    if (auto function = dyn_cast<FunctionOpInterface>(parent))
      return &function.getFunctionBody().front();
    // Any other op may not be a loop, or may not run in this function's frame.
    if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp, memref::AllocaScopeOp,
             omp::WsloopOp, omp::LoopNestOp>(parent))
      return nullptr;
  }
  return nullptr;
}

namespace {
struct HoistAllocasPass
    : public pruner::impl::HoistAllocasPassBase<HoistAllocasPass> {
  using HoistAllocasPassBase::HoistAllocasPassBase;

  void runOnOperation() override {
    SmallVector<memref::AllocaOp> allocas;
    getOperation()->walk([&](memref::AllocaOp op) { allocas.push_back(op); });
    for (memref::AllocaOp op : llvm::reverse(allocas)) {
      if (alignment && !op.getAlignment())
        op.setAlignment(alignment);
      Block *block = slotBlock(op);
      if (!block || block == op->getBlock() || !op.getType().hasStaticShape() ||
          op->getNumOperands() != 0)
        continue;
      op->moveBefore(block, block->begin());
      ++numHoisted;
    }
  }
};
} // namespace
