//===- LowerBands.cpp - loops of a GPU kernel -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GpuLowering.h"

using namespace mlir;
using namespace pruner;

/// The only statement in `band` and the vthread and unroll bands nested in it,
/// which are added to `nest`; null if there is more.
static ComputeOp soleStatement(BandOp band, SmallVectorImpl<BandOp> &nest) {
  nest.push_back(band);
  Block &body = band.getBody().front();
  if (!llvm::hasSingleElement(body))
    return {};
  if (auto compute = dyn_cast<ComputeOp>(body.front()))
    return compute;
  auto inner = dyn_cast<BandOp>(body.front());
  if (!inner || (inner.getLevel() != LoopKind::VThread &&
                 inner.getLevel() != LoopKind::Unroll))
    return {};
  return soleStatement(inner, nest);
}

LogicalResult GpuLowering::lowerBand(BandOp band) {
  switch (band.getLevel()) {
  case LoopKind::Block:
    spread(band, blockIndex);
    return lowerBlock(band.getBody().front());
  case LoopKind::Thread:
    spread(band, threadIndex);
    return lowerBlock(band.getBody().front());
  case LoopKind::VThread:
  case LoopKind::Unroll: {
    // Expanded next to each other, the copies share loads.
    SmallVector<BandOp> nest;
    if (ComputeOp compute = soleStatement(band, nest))
      return lowerCompute(compute, nest);
    return lowerCopies(band, 0);
  }
  default: {
    SmallVector<StageOp> ahead;
    for (auto stage : band.getBody().getOps<StageOp>())
      if (stage.getBuffers() > 1)
        ahead.push_back(stage);
    return ahead.empty() ? lowerSerial(band, 0) : lowerPipeline(band, ahead);
  }
  }
}

/// The loops of `band` are the digits of a linear index, the last one fastest.
void GpuLowering::spread(BandOp band, Value linearIndex) {
  int64_t total = 1;
  for (int64_t trips : band.getTrips())
    total *= trips;
  IndexForm linear(IndexTerm{linearIndex, 1, total, {}});
  SmallVector<IndexForm> digits = memory.digits(loc, linear, band.getTrips());
  for (auto [l, digit] : llvm::enumerate(digits))
    ivs[band.getBody().getArgument(l)] = digit * band.getSteps()[l];
}

LogicalResult GpuLowering::lowerCopies(BandOp band, unsigned loop) {
  if (loop == band.getDims().size())
    return lowerBlock(band.getBody().front());
  for (int64_t n = 0; n < band.getTrips()[loop]; ++n) {
    ivs[band.getBody().getArgument(loop)] =
        IndexForm(n * band.getSteps()[loop]);
    if (failed(lowerCopies(band, loop + 1)))
      return failure();
  }
  return success();
}

int64_t pruner::nestedSerialTrips(Block &block) {
  int64_t largest = 1;
  for (Operation &op : block) {
    int64_t here = 1;
    if (auto band = dyn_cast<BandOp>(op)) {
      here = nestedSerialTrips(band.getBody().front());
      if (band.getLevel() == LoopKind::Serial)
        for (int64_t trips : band.getTrips())
          here = llvm::SaturatingMultiply<uint64_t>(here, trips);
    } else if (auto compute = dyn_cast<ComputeOp>(op)) {
      for (unsigned l = 0; l < compute.getNumLoops(); ++l)
        if (compute.getLoopLevel(l) == LoopKind::Serial)
          here = llvm::SaturatingMultiply<uint64_t>(
              here, compute.getLoopExtents()[l]);
    }
    largest = std::max(largest, here);
  }
  return largest;
}

int64_t pruner::nestedInstances(Block &block) {
  int64_t sum = 0;
  for (Operation &op : block) {
    uint64_t here = 0;
    ArrayRef<int64_t> trips;
    if (auto band = dyn_cast<BandOp>(op)) {
      here = nestedInstances(band.getBody().front());
      if (band.getLevel() != LoopKind::Block &&
          band.getLevel() != LoopKind::Thread)
        trips = band.getTrips();
    } else if (auto compute = dyn_cast<ComputeOp>(op)) {
      // A matrix instruction executes its sums itself.
      here = 1;
      trips = compute.getLoopExtents();
      if (compute.getInstruction())
        trips = trips.drop_back();
    } else if (auto stage = dyn_cast<StageOp>(op)) {
      here = llvm::divideCeil(llvm::product_of(stage.getBox(), int64_t(1)),
                              stage.getThreads() * stage.getVector());
    }
    for (int64_t n : trips)
      here = llvm::SaturatingMultiply<uint64_t>(here, n);
    sum += std::min<uint64_t>(here, INT32_MAX);
  }
  return sum;
}

/// The first access to shared memory in a step of a loop.
enum class FirstUse { None, Overwrite, Read };
static FirstUse firstSharedUse(Block &block) {
  for (Operation &op : block) {
    FirstUse use = FirstUse::None;
    if (isa<StageOp>(op))
      use = FirstUse::Overwrite;
    else if (auto band = dyn_cast<BandOp>(op))
      use = firstSharedUse(band.getBody().front());
    else if (auto compute = dyn_cast<ComputeOp>(op))
      for (Value input : compute.getInputs())
        if (input.getDefiningOp<StageOp>())
          use = FirstUse::Read;
    if (use != FirstUse::None)
      return use;
  }
  return FirstUse::None;
}

static bool hasStages(BandOp band) {
  return band.walk([](StageOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// True if the loops of `band` from `loop` on are expanded. Steps that copy to
/// shared memory never are: the barriers between them end no live range, so the
/// assembler would keep the addresses and the loads of all steps, and spill.
bool GpuLowering::isExpanded(BandOp band, unsigned loop) {
  if (hasStages(band))
    return false;
  Block &body = band.getBody().front();
  uint64_t serial = nestedSerialTrips(body), instances = nestedInstances(body);
  for (int64_t inner : band.getTrips().drop_front(loop)) {
    serial = llvm::SaturatingMultiply<uint64_t>(serial, inner);
    instances = llvm::SaturatingMultiply<uint64_t>(instances, inner);
  }
  return serial <= uint64_t(kernel.getUnrollMax()) &&
         instances <= uint64_t(kMaxInstances);
}

/// Prepares for emitting the steps of `band` as a loop. Returns the local
/// buffers that its statements write, which are values of the loop.
SmallVector<Value> GpuLowering::enterLoop(BandOp band) {
  SmallVector<Value> carried;
  band.walk([&](ComputeOp compute) {
    if (locals.contains(compute.getOutput()) &&
        !llvm::is_contained(carried, compute.getOutput()))
      carried.push_back(compute.getOutput());
  });
  // One barrier before the loop instead of one in every step.
  if (!writtenShared.empty() &&
      firstSharedUse(band.getBody().front()) == FirstUse::Read)
    barrier();
  if (hasStages(band)) {
    // The previous step has read what this one overwrites.
    memory.forgetLoads();
    band.walk([&](StageOp stage) { readShared.insert(stage.getResult()); });
  }
  return carried;
}

LogicalResult GpuLowering::lowerSerial(BandOp band, unsigned loop) {
  if (loop == band.getDims().size())
    return lowerBlock(band.getBody().front());
  Value iv = band.getBody().getArgument(loop);
  int64_t trips = band.getTrips()[loop], step = band.getSteps()[loop];
  if (trips == 1 || isExpanded(band, loop)) {
    for (int64_t n = 0; n < trips; ++n) {
      ivs[iv] = IndexForm(n * step);
      if (failed(lowerSerial(band, loop + 1)))
        return failure();
    }
    return success();
  }

  SmallVector<Value> carried = enterLoop(band);
  return emitLoop(trips, carried, [&](Value index) {
    ivs[iv] = IndexForm(IndexTerm{index, step, trips, iv});
    return lowerSerial(band, loop + 1);
  });
}
