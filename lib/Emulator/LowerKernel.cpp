//===- LowerKernel.cpp - GPU kernel to host function ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerOps.h"
#include "Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace pruner;
using namespace pruner::emulator;

static MemRefType withoutSpace(MemRefType type) {
  return MemRefType::get(type.getShape(), type.getElementType(),
                         type.getLayout());
}

/// The description of a buffer of `type`; fails if its size is not known.
static FailureOr<Buffer> describeBuffer(MemRefType type, const Twine &name) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) ||
      llvm::any_of(strides, ShapedType::isDynamic))
    return failure();
  Buffer buffer;
  llvm::raw_string_ostream(buffer.description)
      << name << " (" << withoutSpace(type) << ")";
  buffer.elementBytes = elementBytesOf(type);
  int64_t last = offset;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    last += (size - 1) * stride;
  buffer.bytes = type.getNumElements() ? (last + 1) * buffer.elementBytes : 0;
  if (type.getLayout().isIdentity())
    buffer.shape.assign(type.getShape().begin(), type.getShape().end());
  return buffer;
}

/// Moves private buffers to the start of the function, where they are allocated
/// once, independent of loops around them.
static FailureOr<uint64_t> placePrivateBuffers(gpu::GPUFuncOp kernel) {
  Block &entry = kernel.getBody().front();
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  for (BlockArgument argument : kernel.getPrivateAttributions()) {
    auto type = cast<MemRefType>(argument.getType());
    argument.replaceAllUsesWith(
        memref::AllocaOp::create(builder, argument.getLoc(), type));
  }
  entry.eraseArguments(kernel.getFirstPrivateAttributionIndex(),
                       kernel.getNumPrivateAttributions());
  uint64_t bytes = 0;
  auto result = kernel.walk([&](memref::AllocaOp alloca) {
    MemRefType type = alloca.getType();
    auto buffer = describeBuffer(type, "private buffer");
    if (failed(buffer)) {
      alloca.emitOpError("is not supported by the emulator for ")
          << type << ": the shape is not static";
      return WalkResult::interrupt();
    }
    Attribute space = type.getMemorySpace();
    auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
    auto number = dyn_cast_or_null<IntegerAttr>(space);
    if ((gpuSpace && gpuSpace.getValue() == gpu::AddressSpace::Workgroup) ||
        (number && number.getInt() == 3)) {
      alloca.emitOpError("is not supported by the emulator in workgroup "
                         "memory: use a workgroup attribution of the function");
      return WalkResult::interrupt();
    }
    bytes += llvm::alignTo(buffer->bytes, 64);
    alloca->moveBefore(&entry, entry.begin());
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return bytes;
}

/// Turns every allocation of workgroup memory into an additional argument of
/// the function, and returns their descriptions.
static FailureOr<std::vector<Buffer>>
placeWorkgroupBuffers(gpu::GPUFuncOp kernel, const LoweringOptions &options) {
  std::vector<Buffer> buffers;
  Block &entry = kernel.getBody().front();
  auto add = [&](Operation *at, MemRefType type) -> LogicalResult {
    auto buffer =
        describeBuffer(type, "workgroup buffer " + Twine(buffers.size()));
    if (failed(buffer))
      return at->emitOpError("is not supported by the emulator for ")
             << type << ": the shape is not static";
    buffers.push_back(std::move(*buffer));
    return success();
  };
  for (BlockArgument argument : kernel.getWorkgroupAttributions())
    if (failed(add(kernel, cast<MemRefType>(argument.getType()))))
      return failure();

  SmallVector<gpu::AllReduceOp> reductions;
  kernel.walk([&](gpu::AllReduceOp op) { reductions.push_back(op); });
  for (gpu::AllReduceOp op : reductions) {
    auto type = MemRefType::get(
        {maxBlockThreads}, op.getType(), MemRefLayoutAttrInterface(),
        gpu::AddressSpaceAttr::get(op.getContext(),
                                   gpu::AddressSpace::Private));
    if (failed(add(op, type)) ||
        failed(lowerAllReduce(op, entry.addArgument(type, op.getLoc()))))
      return failure();
  }

  llvm::MapVector<Attribute, Value> globals;
  SmallVector<memref::GetGlobalOp> uses;
  SmallVector<gpu::DynamicSharedMemoryOp> dynamic;
  kernel.walk([&](memref::GetGlobalOp op) {
    if (memorySpaceOf(op) == MemorySpace::Workgroup)
      uses.push_back(op);
  });
  kernel.walk([&](gpu::DynamicSharedMemoryOp op) { dynamic.push_back(op); });
  for (memref::GetGlobalOp use : uses) {
    Value &argument = globals[use.getNameAttr()];
    if (!argument) {
      if (failed(add(use, use.getType())))
        return failure();
      argument = entry.addArgument(use.getType(), use.getLoc());
    }
    use.replaceAllUsesWith(argument);
    use.erase();
  }
  if (dynamic.empty())
    return buffers;
  MemRefType open = dynamic.front().getType();
  auto type =
      MemRefType::get({options.dynamicSharedBytes}, open.getElementType(),
                      MemRefLayoutAttrInterface(), open.getMemorySpace());
  if (failed(add(dynamic.front(), type)))
    return failure();
  Value argument = entry.addArgument(type, dynamic.front().getLoc());
  for (gpu::DynamicSharedMemoryOp op : dynamic) {
    OpBuilder builder(op);
    op.replaceAllUsesWith(
        memref::CastOp::create(builder, op.getLoc(), op.getType(), argument)
            .getResult());
    op.erase();
  }
  return buffers;
}

/// Removes memory spaces, which have no meaning on the host, and the types of
/// asynchronous copies.
static void convertTypes(Operation *function) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    return withoutSpace(type);
  });
  replacer.addReplacement(
      [](nvgpu::DeviceAsyncTokenType type) -> std::optional<Type> {
        return IndexType::get(type.getContext());
      });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  function->walk([](memref::MemorySpaceCastOp cast) {
    cast.replaceAllUsesWith(cast.getSource());
    cast.erase();
  });
}

FailureOr<LoweredKernel> emulator::lowerKernel(gpu::GPUFuncOp kernel,
                                               const LoweringOptions &options) {
  LoweredKernel lowered;
  for (auto [n, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      if (!type.isIntOrIndexOrFloat()) {
        kernel.emitOpError("has argument ")
            << n << " of type " << type << "; the emulator passes memrefs of "
            << "static shape and scalars";
        return failure();
      }
      lowered.arguments.emplace_back().scalar = true;
      continue;
    }
    auto buffer = describeBuffer(memref, "argument " + Twine(n));
    if (failed(buffer)) {
      kernel.emitOpError("has argument ")
          << n << " of type " << type << ", whose shape is not static";
      return failure();
    }
    lowered.arguments.push_back(std::move(*buffer));
  }

  auto privateBytes = placePrivateBuffers(kernel);
  if (failed(privateBytes))
    return failure();
  lowered.privateBytes = *privateBytes;
  auto workgroup = placeWorkgroupBuffers(kernel, options);
  if (failed(workgroup))
    return failure();
  lowered.workgroup = std::move(*workgroup);

  if (failed(instrumentAccesses(kernel, options, lowered.sites)) ||
      failed(lowerGPUOps(kernel, options, lowered.sites)))
    return failure();
  if (lowered.sites.size() > UINT16_MAX) {
    kernel.emitOpError("has ")
        << lowered.sites.size()
        << " memory accesses and barriers; the emulator supports at most "
        << UINT16_MAX;
    return failure();
  }

  OpBuilder builder(kernel.getContext());
  lowered.module = ModuleOp::create(builder, kernel.getLoc(), kernel.getName());
  builder.setInsertionPointToEnd(lowered.module->getBody());
  for (auto global :
       kernel->getParentOfType<gpu::GPUModuleOp>().getOps<memref::GlobalOp>())
    builder.clone(*global);
  declareRuntime(builder, kernel.getLoc());
  auto type = builder.getFunctionType(
      kernel.getBody().front().getArgumentTypes(), TypeRange());
  auto function =
      func::FuncOp::create(builder, kernel.getLoc(), entryName, type);
  function.getBody().takeBody(kernel.getBody());
  convertTypes(*lowered.module);
  return lowered;
}
