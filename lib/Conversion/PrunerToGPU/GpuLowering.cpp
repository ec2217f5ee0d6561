//===- GpuLowering.cpp - structure of a GPU kernel ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GpuLowering.h"
#include "CarriedElements.h"

#include "pruner/Program/TiledProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace pruner;

GpuLowering::GpuLowering(KernelOp kernel, gpu::GPUFuncOp target,
                         LaunchShape shape)
    : kernel(kernel), target(target), shape(shape),
      builder(kernel.getContext()), loc(kernel.getLoc()), memory(builder) {}

LogicalResult GpuLowering::run() {
  builder.setInsertionPointToStart(&target.getBody().front());
  mapArguments();
  blockIndex = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  threadIndex = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  allocateDynamically();
  if (failed(lowerBlock(kernel.getBody().front())))
    return failure();
  gpu::ReturnOp::create(builder, loc);
  cloneConstants();
  return success();
}

void GpuLowering::mapArguments() {
  auto function = kernel->getParentOfType<FunctionOpInterface>();
  unsigned next = 0;
  for (BlockArgument argument : function.getArguments())
    if (isa<MemRefType>(argument.getType()))
      buffers[argument] = FlatBuffer::create(builder, loc, argument,
                                             target.getArgument(next++));
}

/// Bodies may use constants that are defined outside of the kernel.
void GpuLowering::cloneConstants() {
  llvm::DenseMap<Value, Value> copies;
  builder.setInsertionPointToStart(&target.getBody().front());
  target.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *source = operand.get().getDefiningOp();
      if (!source || target->isProperAncestor(source))
        continue;
      Value &copy = copies[operand.get()];
      if (!copy)
        copy = builder.clone(*source)->getResult(0);
      operand.set(copy);
    }
  });
}

SmallVector<IndexForm> GpuLowering::position(OperandRange at,
                                             ValueRange excluded) {
  SmallVector<IndexForm> forms(kernel.getNumDims());
  for (Value offset : at) {
    if (llvm::is_contained(excluded, offset))
      continue;
    BandIv iv = getBandIv(offset);
    IndexForm &form = forms[iv.band.getDims()[iv.loop]];
    form = form + ivs.lookup(offset);
  }
  return forms;
}

/// True for copies that do not run ahead. The surrounding band emits the
/// others.
static bool isCopyInStep(Operation &op) {
  auto stage = dyn_cast<StageOp>(op);
  return stage && stage.getBuffers() == 1;
}

LogicalResult GpuLowering::lowerBlock(Block &block) {
  for (auto it = block.begin(); it != block.end();) {
    Operation &op = *it++;
    LogicalResult result = success();
    if (auto band = dyn_cast<BandOp>(op)) {
      result = lowerBand(band);
    } else if (auto alloc = dyn_cast<AllocOp>(op)) {
      allocate(alloc.getResult());
    } else if (auto packed = dyn_cast<PackedOp>(op)) {
      FlatBuffer flat = buffers[packed.getSource()];
      flat.layout = packed.getLayout();
      buffers[packed.getResult()] = flat;
    } else if (auto compute = dyn_cast<ComputeOp>(op)) {
      result = lowerCompute(compute, {});
    } else if (isCopyInStep(op)) {
      // Consecutive copies share their barriers.
      SmallVector<StageOp> group{cast<StageOp>(op)};
      for (; it != block.end() && isCopyInStep(*it); ++it)
        group.push_back(cast<StageOp>(*it));
      result = lowerStages(group);
    }
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult GpuLowering::emitLoop(int64_t trips, ArrayRef<Value> carried,
                                    LoopBody body,
                                    MutableArrayRef<Value> values) {
  startCopies();
  for (Value buffer : carried)
    for (Value &element : locals[buffer]) {
      if (element)
        continue;
      Type type = cast<MemRefType>(buffer.getType()).getElementType();
      element =
          arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
      unwritten.insert(element);
    }
  CarriedElements elements(builder, loc, locals, carried);
  auto pack = [&] {
    SmallVector<Value> all = elements.pack();
    llvm::append_range(all, values);
    return all;
  };
  // Replaces the elements `before` by those in `current`.
  auto assign = [&](ArrayRef<Value> before, ValueRange current) {
    llvm::copy(elements.unpack(current), values.begin());
    for (auto [from, to] : llvm::zip_equal(before, elements.elements()))
      if (!isWritten(from))
        unwritten.insert(to);
  };
  SmallVector<Value> begin = elements.elements(), end;
  auto forOp = scf::ForOp::create(builder, loc, index(0), index(trips),
                                  index(1), pack());
  {
    OpBuilder::InsertionGuard guard(builder);
    MemoryEmitter::Scope scope(memory);
    builder.setInsertionPointToStart(forOp.getBody());
    assign(begin, forOp.getRegionIterArgs());
    if (failed(body(forOp.getInductionVar())))
      return failure();
    end = elements.elements();
    if (forOp.getNumResults() > 0)
      scf::YieldOp::create(builder, loc, pack());
  }
  assign(end, forOp.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Buffers and barriers
//===----------------------------------------------------------------------===//

void GpuLowering::allocate(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto origin = *getBufferOrigin(buffer);
  FlatBuffer flat;
  flat.shape.assign(type.getShape().begin(), type.getShape().end());
  flat.layout = origin.layout;
  buffers[buffer] = flat;
  locals[buffer].assign(type.getNumElements(), Value());
}

/// Bytes of one element in shared memory.
static int64_t elementBytesOf(StageOp stage) {
  return (stage.getResult().getType().getElementTypeBitWidth() + 7) / 8;
}

static int64_t bytesOf(StageOp stage) {
  return sharedBytesOf(stage.getResult().getType().getNumElements(),
                       elementBytesOf(stage), stage.getBuffers());
}

/// Every buffer begins at a multiple of the widest access.
static int64_t aligned(int64_t bytes) {
  return llvm::alignTo(bytes, kMaxAccessBytes);
}

/// Requests dynamic shared memory if the buffers take more than a block has
/// without it.
void GpuLowering::allocateDynamically() {
  int64_t bytes = 0;
  kernel.walk([&](StageOp stage) { bytes += aligned(bytesOf(stage)); });
  if (bytes <= kStaticSharedBytes)
    return;
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  dynamicShared = gpu::DynamicSharedMemoryOp::create(
      builder, loc,
      MemRefType::get({ShapedType::kDynamic}, builder.getI8Type(), AffineMap(),
                      space));
}

/// New shared memory for the buffers of a stage.
Value GpuLowering::sharedMemory(StageOp stage, int64_t bytes) {
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({bytes / elementBytesOf(stage)},
                              stage.getResult().getType().getElementType(),
                              AffineMap(), space);
  if (dynamicShared) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(dynamicShared);
    Value offset = index(dynamicSharedBytes);
    dynamicSharedBytes += aligned(bytes);
    sharedBytes = dynamicSharedBytes;
    return memref::ViewOp::create(builder, stage.getLoc(), type, dynamicShared,
                                  offset, ValueRange());
  }
  Value memory = target.addWorkgroupAttribution(type, stage.getLoc());
  target.setWorkgroupAttributionAttr(
      target.getNumWorkgroupAttributions() - 1, "llvm.align",
      builder.getI64IntegerAttr(kMaxAccessBytes));
  sharedBytes += bytes;
  return memory;
}

/// The shared memory of a stage, which all of its executions fill: one buffer,
/// or several in turn.
const FlatBuffer &GpuLowering::sharedBuffer(StageOp stage) {
  FlatBuffer &flat = buffers[stage.getResult()];
  if (flat.memref)
    return flat;
  ArrayRef<int64_t> shape = stage.getResult().getType().getShape();
  flat.memref = sharedMemory(stage, bytesOf(stage));
  flat.shape.assign(shape.begin(), shape.end());
  flat.layout = stage.getLayout();
  return flat;
}

void GpuLowering::barrier() {
  gpu::BarrierOp::create(builder, loc);
  ++numBarriers;
  readShared.clear();
  writtenShared.clear();
  memory.forgetLoads();
}

void GpuLowering::beforeRead(ValueRange read) {
  for (Value buffer : read)
    if (writtenShared.contains(buffer)) {
      barrier();
      break;
    }
  for (Value buffer : read)
    if (buffer.getDefiningOp<StageOp>())
      readShared.insert(buffer);
}

void GpuLowering::beforeOverwrite(ArrayRef<StageOp> stages) {
  for (StageOp stage : stages)
    if (readShared.contains(stage.getResult()) ||
        writtenShared.contains(stage.getResult()))
      return barrier();
}
