//===- CombineThreads.cpp - reductions that threads share -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of one warp combine their parts by a butterfly of shuffles. Threads
// of several warps store the results in shared memory, and each thread reads
// all of them. Both give every thread bitwise the same sum.

#include "GpuComputeLowering.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace pruner;

static constexpr int64_t kWarp = 32;

void GpuComputeLowering::findRowThreads() {
  for (Operation *up = op->getParentOp(); up != kernel;
       up = up->getParentOp()) {
    auto band = dyn_cast<BandOp>(up);
    if (!band || band.getLevel() != LoopKind::Thread)
      continue;
    int64_t stride = 1;
    for (unsigned l = band.getDims().size(); l-- > 0;) {
      int64_t trips = band.getTrips()[l];
      ThreadLoop loop{trips, stride};
      stride *= trips;
      if (trips == 1 || !kernel.getReductions()[band.getDims()[l]])
        continue;
      bool moves =
          llvm::is_contained(op.getAt(), band.getBody().getArgument(l));
      if (!moves)
        idleThreads.push_back(loop);
      else if (op.getRole() == Role::Update)
        rowThreads.push_back(loop);
    }
  }
}

/// True for the first of the threads that compute the same values.
Value GpuComputeLowering::firstOfRow() {
  Value first;
  for (ThreadLoop loop : idleThreads) {
    Value digit = parent.threadDigit(loop.stride, loop.trips);
    Value here = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       digit, memory.index(loc, 0));
    first = first ? arith::AndIOp::create(builder, loc, first, here) : here;
  }
  return first;
}

Value GpuComputeLowering::neutral() {
  Operation *combiner = getCombiner(op.getBody().front());
  return arith::ConstantOp::create(builder, loc, neutralElement(combiner));
}

Value GpuComputeLowering::combine(Value a, Value b) {
  return combineBy(builder, loc, getCombiner(op.getBody().front()), a, b);
}

LogicalResult GpuComputeLowering::reduceAcrossThreads() {
  FailureOr<Values> before = accumulators();
  if (failed(before))
    return failure();
  parent.locals[op.getOutput()].assign(before->size(), neutral());
  if (failed(reduce(0, Forms(kernel.getNumDims()))))
    return failure();
  Values parts = parent.locals[op.getOutput()];
  shuffleParts(parts);
  exchangeParts(parts);
  for (auto [part, whole] :
       llvm::zip_equal(parts, parent.locals[op.getOutput()]))
    whole = part;
  for (auto [start, whole] :
       llvm::zip_equal(*before, parent.locals[op.getOutput()]))
    whole = combine(start, whole);
  return success();
}

/// Combines the parts of threads whose numbers differ in one bit below the size
/// of a warp, and removes those bits from `rowThreads`.
void GpuComputeLowering::shuffleParts(Values &parts) {
  unsigned bits = parts.front().getType().getIntOrFloatBitWidth();
  if (bits != 32 && bits != 64)
    return;
  for (ThreadLoop &loop : rowThreads) {
    if (!llvm::isPowerOf2_64(loop.stride))
      continue;
    for (; loop.trips > 1 && loop.stride < kWarp;
         loop.trips /= 2, loop.stride *= 2)
      for (Value &part : parts) {
        auto other =
            gpu::ShuffleOp::create(builder, loc, part, int32_t(loop.stride),
                                   int32_t(kWarp), gpu::ShuffleMode::XOR);
        part = combine(part, other.getShuffleResult());
      }
  }
}

/// Every thread stores its parts in shared memory. It then combines the parts
/// of all threads that differ from it only in the remaining `rowThreads`, in
/// the same order as these threads do.
void GpuComputeLowering::exchangeParts(Values &parts) {
  int64_t partners = 1;
  for (ThreadLoop loop : rowThreads)
    partners *= loop.trips;
  if (partners == 1)
    return;
  int64_t threads = parent.shape.threads;
  bool repeated = false;
  for (auto band = op->getParentOfType<BandOp>(); band;
       band = band->getParentOfType<BandOp>())
    repeated |= band.getLevel() == LoopKind::Serial;
  Value memref = parent.exchangeBuffer(
      parts.front().getType(), threads * int64_t(parts.size()), repeated);
  for (auto [p, part] : llvm::enumerate(parts)) {
    Value at = arith::AddIOp::create(builder, loc, parent.threadIndex,
                                     memory.index(loc, p * threads));
    memref::StoreOp::create(builder, loc, part, memref, at);
  }
  parent.barrier();
  Value first = parent.threadIndex;
  for (ThreadLoop loop : rowThreads) {
    Value digit = parent.threadDigit(loop.stride, loop.trips);
    Value back = arith::MulIOp::create(builder, loc, digit,
                                       memory.index(loc, loop.stride));
    first = arith::SubIOp::create(builder, loc, first, back);
  }
  Values begin(parts.size(), neutral());
  auto loop = scf::ForOp::create(builder, loc, memory.index(loc, 0),
                                 memory.index(loc, partners),
                                 memory.index(loc, 1), begin);
  {
    OpBuilder::InsertionGuard guard(builder);
    MemoryEmitter::Scope scope(memory);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<int64_t> extents;
    for (ThreadLoop thread : rowThreads)
      extents.push_back(thread.trips);
    IndexForm number(IndexTerm{loop.getInductionVar(), 1, partners, {}});
    IndexForm at(IndexTerm{first, 1, threads, {}});
    for (auto [digit, thread] :
         llvm::zip_equal(memory.digits(loc, number, extents), rowThreads))
      at = at + digit * thread.stride;
    Values sums;
    for (unsigned p = 0; p < parts.size(); ++p) {
      Value part = memref::LoadOp::create(
          builder, loc, memref, memory.address(loc, at + p * threads));
      sums.push_back(combine(loop.getRegionIterArg(p), part));
    }
    scf::YieldOp::create(builder, loc, sums);
  }
  parts.assign(loop.getResults().begin(), loop.getResults().end());
}

/// Digit of the thread's number: (number / stride) mod trips.
Value GpuLowering::threadDigit(int64_t stride, int64_t trips) {
  auto [quotient, low] = memory.divide(
      loc, IndexForm(IndexTerm{threadIndex, 1, shape.threads, {}}), stride);
  return memory.address(loc, memory.divide(loc, quotient, trips).second);
}

/// Shared memory for `elements` elements. `repeated` states that the code is in
/// a loop and overwrites it again.
Value GpuLowering::exchangeBuffer(Type type, int64_t elements, bool repeated) {
  if (repeated)
    barrier();
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto flatType = MemRefType::get({elements}, type, AffineMap(), space);
  for (Value exchange : exchanges)
    if (exchange.getType() == flatType) {
      if (!repeated)
        barrier();
      return exchange;
    }
  Value memref = target.addWorkgroupAttribution(flatType, loc);
  target.setWorkgroupAttributionAttr(
      target.getNumWorkgroupAttributions() - 1, "llvm.align",
      builder.getI64IntegerAttr(kMaxAccessBytes));
  sharedBytes += elements * ((type.getIntOrFloatBitWidth() + 7) / 8);
  exchanges.push_back(memref);
  return memref;
}
