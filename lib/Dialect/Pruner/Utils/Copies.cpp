//===- Copies.cpp - how much code a kernel becomes ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/Copies.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pruner;

static constexpr uint64_t kMaxCopies = 65536;

static LogicalResult checkCopies(ComputeOp compute, KernelOp kernel) {
  uint64_t copies = compute.getUnroll();
  for (unsigned l = 0; l < compute.getNumLoops(); ++l) {
    // A matrix instruction executes loops of these kinds itself.
    bool stays = compute.getLoopLevel(l) >= LoopKind::Dot;
    stays |=
        compute.getLoopLevel(l) == LoopKind::Serial &&
        (!kernel.isGpu() || (compute.getRole() == Role::Update &&
                             kernel.getReductions()[compute.getLoopDims()[l]]));
    if (!stays)
      copies = llvm::SaturatingMultiply<uint64_t>(copies,
                                                  compute.getLoopExtents()[l]);
  }
  if (kernel.isGpu())
    for (auto band = compute->getParentOfType<BandOp>(); band;
         band = band->getParentOfType<BandOp>())
      if (band.getLevel() == LoopKind::Unroll ||
          band.getLevel() == LoopKind::VThread)
        for (int64_t trips : band.getTrips())
          copies = llvm::SaturatingMultiply<uint64_t>(copies, trips);
  if (copies > kMaxCopies)
    return compute.emitOpError("is expanded ")
           << copies << " times, but the limit is " << kMaxCopies;
  return success();
}

LogicalResult pruner::checkCopies(KernelOp kernel) {
  auto result = kernel.walk([&](ComputeOp compute) {
    return failed(::checkCopies(compute, kernel)) ? WalkResult::interrupt()
                                                  : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
