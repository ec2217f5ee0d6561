//===- Loops.cpp - mutations of loops, bounds and launches ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Collect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

void pruner::collectLoops(Operation *op, MutationCollector &collector) {
  auto loop = dyn_cast<scf::ForOp>(op);
  if (!loop)
    return;
  bool outer = loop.getBody()
                   ->walk([](scf::ForOp) { return WalkResult::interrupt(); })
                   .wasInterrupted();
  auto kind = outer ? MutationKind::Tile : MutationKind::Iteration;
  collector.add(kind, "first iteration of scf.for", [loop]() mutable {
    OpBuilder builder(loop);
    loop.setLowerBound(arith::AddIOp::create(
        builder, loop.getLoc(), loop.getLowerBound(), loop.getStep()));
  });
  collector.add(kind, "last iteration of scf.for", [loop]() mutable {
    OpBuilder builder(loop);
    loop.setUpperBound(arith::SubIOp::create(
        builder, loop.getLoc(), loop.getUpperBound(), loop.getStep()));
  });
}

/// The predicate that differs if both sides are equal.
static std::optional<arith::CmpIPredicate>
offByOne(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::slt:
    return P::sle;
  case P::sle:
    return P::slt;
  case P::sgt:
    return P::sge;
  case P::sge:
    return P::sgt;
  case P::ult:
    return P::ule;
  case P::ule:
    return P::ult;
  case P::ugt:
    return P::uge;
  case P::uge:
    return P::ugt;
  case P::eq:
  case P::ne:
    return std::nullopt;
  }
  llvm_unreachable("no such predicate");
}

void pruner::collectGuards(Operation *op, MutationCollector &collector) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op);
      compare && compare.getLhs().getType().isIndex()) {
    if (auto other = offByOne(compare.getPredicate()))
      collector.add(
          MutationKind::Tail, "a bound off by one at its end",
          [compare, other]() mutable { compare.setPredicate(*other); });
    return;
  }
  if (isa<arith::MinSIOp, arith::MinUIOp>(op) &&
      op->getResult(0).getType().isIndex()) {
    for (unsigned kept : {0u, 1u})
      collector.add(MutationKind::Tail, "a clamp is lost", [op, kept] {
        op->getResult(0).replaceAllUsesWith(op->getOperand(kept));
      });
    return;
  }
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (bool value : {false, true})
      collector.add(MutationKind::Tail,
                    value ? "a guard always holds" : "a guard never holds",
                    [branch, value]() mutable {
                      OpBuilder builder(branch);
                      branch.getConditionMutable().assign(
                          arith::ConstantIntOp::create(builder, branch.getLoc(),
                                                       value, 1));
                    });
    return;
  }
  if (!isa<vector::CreateMaskOp>(op))
    return;
  for (int64_t by : {-1, 1})
    collector.add(MutationKind::Tail,
                  by < 0 ? "a mask ends one lane early"
                         : "a mask ends one lane late",
                  [op, by] {
                    OpBuilder builder(op);
                    unsigned last = op->getNumOperands() - 1;
                    op->setOperand(last, shifted(builder, op->getLoc(),
                                                 op->getOperand(last), by));
                  });
}

/// One block or thread less along coordinate `d` of a launch.
static void shrink(gpu::GPUFuncOp kernel, StringRef own, StringRef known,
                   unsigned d) {
  auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>(own);
  SmallVector<int64_t> smaller(sizes.asArrayRef());
  --smaller[d];
  Builder builder(kernel.getContext());
  kernel->setAttr(own, builder.getDenseI64ArrayAttr(smaller));
  if (kernel->hasAttr(known))
    kernel->setAttr(known, builder.getDenseI32ArrayAttr(SmallVector<int32_t>(
                               smaller.begin(), smaller.end())));
}

void pruner::collectLaunches(Operation *op, MutationCollector &collector) {
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op)) {
    for (auto [own, known, what] :
         {std::tuple("pruner.grid", "known_grid_size", "a block"),
          std::tuple("pruner.block", "known_block_size", "a thread")}) {
      auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>(own);
      for (unsigned d = 0; sizes && d < sizes.size(); ++d)
        if (sizes[d] > 1)
          collector.add(MutationKind::Tile,
                        std::string(what) + " less in a launch",
                        [kernel, own = own, known = known, d] {
                          shrink(kernel, own, known, d);
                        });
    }
    return;
  }
  if (isa<gpu::BarrierOp>(op))
    collector.add(MutationKind::Barrier, "a barrier is left out",
                  [op] { op->erase(); });
  if (auto wait = dyn_cast<nvgpu::DeviceAsyncWaitOp>(op)) {
    collector.add(MutationKind::Wait, "a wait for copies is left out",
                  [op] { op->erase(); });
    collector.add(MutationKind::Wait, "a wait leaves one more group of copies",
                  [wait]() mutable {
                    wait.setNumGroups(wait.getNumGroups().value_or(0) + 1);
                  });
  }
}
