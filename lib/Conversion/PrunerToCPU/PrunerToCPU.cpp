//===- PrunerToCPU.cpp - tiled programs to CPU code -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/PrunerToCPU/Passes.h"
#include "pruner/Dialect/Pruner/Utils/Copies.h"

#include "ComputeLowering.h"
#include "pruner/Dialect/Pruner/Utils/RetireSchedule.h"
#include "pruner/Program/MatrixInstruction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

namespace pruner {
#define GEN_PASS_DEF_CONVERTPRUNERTOCPUPASS
#include "pruner/Conversion/PrunerToCPU/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// Accumulators up to this size are on the stack, where LLVM can keep a single
/// register tile in registers.
static constexpr int64_t kMaxStackBytes = 16 * 1024;

CpuLowering::CpuLowering(KernelOp kernel, unsigned threads)
    : kernel(kernel), threads(threads), builder(kernel), loc(kernel.getLoc()),
      indices(builder, loc), maskedColumns(findMaskedColumns(kernel)),
      ends(kernel.getNumDims()) {}

void CpuLowering::run() {
  auto function = kernel->getParentOfType<FunctionOpInterface>();
  builder.setInsertionPoint(kernel);
  for (BlockArgument argument : function.getArguments())
    if (isa<MemRefType>(argument.getType()))
      buffers[argument] = FlatBuffer::create(builder, loc, argument, argument);
  kernel.walk([&](ComputeOp compute) {
    const MatrixInstruction *instruction =
        compute.getInstruction()
            ? findMatrixInstruction(*compute.getInstruction())
            : nullptr;
    flushesSubnormals |=
        instruction && instruction->operands == ElementType::BF16;
  });
  indices.hoistTo();
  allocationPoint = indices.constant(0).getDefiningOp();
  lowerBlock(kernel.getBody().front());
  freeAllocations();
  completeStores();
}

SmallVector<IndexForm> CpuLowering::position(OperandRange at) {
  SmallVector<IndexForm> forms(kernel.getNumDims());
  for (Value offset : at) {
    BandIv iv = getBandIv(offset);
    IndexForm &form = forms[iv.band.getDims()[iv.loop]];
    form = form + IndexForm(ivs.lookup(offset));
  }
  return forms;
}

const FlatBuffer &CpuLowering::flat(Value buffer) {
  return buffers.find(buffer)->second;
}

void CpuLowering::lowerBlock(Block &block) {
  auto endsOutside = ends;
  // Packed arguments are first, and the others read them.
  for (auto packed : block.getOps<PackedOp>())
    buffers[packed.getResult()] = FlatBuffer::create(
        builder, loc, packed.getResult(), packed.getSource());
  lowerChecks(block);
  lowerLimit(block);
  for (Operation &op : block) {
    if (auto band = dyn_cast<BandOp>(op)) {
      lowerBand(band);
    } else if (auto alloc = dyn_cast<AllocOp>(op)) {
      allocate(alloc.getResult(), /*heap=*/false);
    } else if (auto stage = dyn_cast<StageOp>(op)) {
      allocate(stage.getResult(), /*heap=*/true);
      lowerStage(stage);
    } else if (auto compute = dyn_cast<ComputeOp>(op)) {
      if (!ComputeLowering::clearsTiles(compute) && !done.contains(compute))
        lowerCompute(compute);
    }
  }
  ends = std::move(endsOutside);
}

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

void CpuLowering::lowerBand(BandOp band) {
  if (band.getLevel() == LoopKind::Core && threads > 1)
    return lowerCores(band);
  lowerLoops(band, 0);
}

/// The number of iterations of a loop that begin inside the domain.
Value CpuLowering::loopBound(BandOp band, unsigned loop) {
  int64_t dim = band.getDims()[loop];
  int64_t trips = band.getTrips()[loop], step = band.getSteps()[loop];
  return tripsInside(dim, trips, step, currentPosition()[dim]);
}

Value CpuLowering::endOf(unsigned dim) {
  return ends[dim].first ? ends[dim].first
                         : indices.constant(kernel.getExtents()[dim]);
}

bool CpuLowering::endsAfterCopies(unsigned dim, int64_t trips, int64_t step,
                                  int64_t copies, const IndexForm &begin) {
  int64_t whole = step * copies;
  return ends[dim].first && ends[dim].second % whole == 0 &&
         kernel.getExtents()[dim] % whole == 0 && trips % copies == 0 &&
         begin.isMultipleOf(whole);
}

Value CpuLowering::tripsInside(unsigned dim, int64_t trips, int64_t step,
                               const IndexForm &begin) {
  int64_t extent = kernel.getExtents()[dim];
  if (!ends[dim].first && !(begin + (trips - 1) * step).mayReach(extent))
    return indices.constant(trips);
  Value end = indices.add(endOf(dim), indices.constant(step - 1));
  Value rest = indices.sub(end, indices.value(begin));
  Value inside = indices.divU(rest, indices.constant(step));
  return indices.min(inside, indices.constant(trips));
}

void CpuLowering::lowerLoops(BandOp band, unsigned loop) {
  if (loop == band.getDims().size())
    return lowerBlock(band.getBody().front());
  Value bound = loopBound(band, loop);
  Value iv = band.getBody().getArgument(loop);
  IndexTerm &term = ivs[iv] = {indices.constant(0), band.getSteps()[loop],
                               band.getTrips()[loop], iv};
  OpBuilder::InsertionGuard guard(builder);
  if (getConstantIntValue(bound) != 1) {
    auto forOp = scf::ForOp::create(builder, loc, indices.constant(0), bound,
                                    indices.constant(1));
    builder.setInsertionPointToStart(forOp.getBody());
    term.index = forOp.getInductionVar();
  }
  lowerLoops(band, loop + 1);
  ivs.erase(iv);
}

/// Emits one share of the iterations per thread: a parallel loop over the
/// threads around a loop over the share, each with its own buffers.
void CpuLowering::lowerCores(BandOp band) {
  int64_t total = 1;
  for (int64_t trips : band.getTrips())
    total *= trips;
  int64_t shares = std::min<int64_t>(threads, total);
  auto parallel = scf::ParallelOp::create(
      builder, loc, ValueRange{indices.constant(0)},
      ValueRange{indices.constant(shares)}, ValueRange{indices.constant(1)});
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(parallel.getBody());
  SmallVector<Value> outerBuffers = std::exchange(heapBuffers, {});
  Value share = parallel.getInductionVars()[0];
  auto border = [&](Value n) -> Value {
    Value scaled = indices.mul(n, indices.constant(total));
    return indices.divU(scaled, indices.constant(shares));
  };
  Value begin = border(share);
  Value end = border(indices.add(share, indices.constant(1)));
  auto forOp =
      scf::ForOp::create(builder, loc, begin, end, indices.constant(1));
  Operation *outerPoint = std::exchange(allocationPoint, forOp);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    Value rest = forOp.getInductionVar();
    for (unsigned l = band.getDims().size(); l-- > 0;) {
      int64_t trips = band.getTrips()[l];
      Value iv = band.getBody().getArgument(l);
      Value idx = l == 0 ? rest : indices.remU(rest, indices.constant(trips));
      if (l != 0)
        rest = indices.divU(rest, indices.constant(trips));
      ivs[iv] = {idx, band.getSteps()[l], trips, iv};
    }
    lowerBlock(band.getBody().front());
    for (Value iv : band.getBody().getArguments())
      ivs.erase(iv);
  }
  freeAllocations();
  completeStores();
  allocationPoint = outerPoint;
  heapBuffers = outerBuffers;
}

/// Waits until the non-temporal stores of this thread are visible to others.
/// x86 orders them with no other store, and LLVM's fences ignore them.
void CpuLowering::completeStores() {
  if (!std::exchange(storesAroundCaches, false))
    return;
  LLVM::CallIntrinsicOp::create(
      builder, loc, builder.getStringAttr("llvm.x86.sse.sfence"), ValueRange{});
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

void CpuLowering::allocate(Value buffer, bool heap) {
  auto type = cast<MemRefType>(buffer.getType());
  auto plain = MemRefType::get(type.getShape(), type.getElementType());
  int64_t bytes =
      type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(allocationPoint);
  auto alignment = builder.getI64IntegerAttr(64);
  Value memory;
  if (heap || bytes > kMaxStackBytes) {
    memory = memref::AllocOp::create(builder, loc, plain, alignment);
    heapBuffers.push_back(memory);
  } else {
    memory = memref::AllocaOp::create(builder, loc, plain, alignment);
  }
  buffers[buffer] = FlatBuffer::create(builder, loc, buffer, memory);
}

void CpuLowering::freeAllocations() {
  for (Value memory : heapBuffers)
    memref::DeallocOp::create(builder, loc, memory);
  heapBuffers.clear();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Checks that buffers are arguments of the function with static addresses.
static LogicalResult checkBuffers(KernelOp kernel) {
  auto function = kernel->getParentOfType<FunctionOpInterface>();
  if (!function)
    return kernel.emitOpError("expects to be nested in a function");
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (type && !(type.hasStaticShape() && type.getLayout().isIdentity()))
      return kernel.emitOpError("is in a function with an argument of type ")
             << type << ", expected a plain memref of static shape";
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(kernel.getBody(), captured);
  for (Value value : captured)
    if (isa<BaseMemRefType>(value.getType()) &&
        !llvm::is_contained(function.getArguments(), value))
      return kernel.emitOpError(
          "uses a buffer that is not an argument of its function");
  return success();
}

namespace {
struct ConvertPrunerToCPU
    : public pruner::impl::ConvertPrunerToCPUPassBase<ConvertPrunerToCPU> {
  using ConvertPrunerToCPUPassBase::ConvertPrunerToCPUPassBase;

  void runOnOperation() override {
    if (threads == 0) {
      getOperation().emitError("'threads' must be at least 1");
      return signalPassFailure();
    }
    SmallVector<KernelOp> kernels;
    getOperation().walk([&](KernelOp kernel) {
      if (!kernel.isGpu())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels) {
      if (failed(checkBuffers(kernel)) || failed(checkCopies(kernel)))
        return signalPassFailure();
      CpuLowering lowering(kernel, threads);
      lowering.run();
      numGuarded += lowering.numGuarded;
      numLimited += lowering.numLimited();
      retireSchedule(kernel);
      kernel.erase();
      ++numKernels;
    }
  }
};
} // namespace
