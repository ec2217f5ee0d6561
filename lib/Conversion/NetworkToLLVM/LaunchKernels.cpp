//===- LaunchKernels.cpp - launches as calls of the run-time library ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferPlan.h"

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

namespace pruner {
#define GEN_PASS_DEF_LAUNCHKERNELSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// Alignment of the constants in device memory.
static constexpr int64_t kAlignment = 256;

static MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}

namespace {
/// Builds calls before an op.
class Calls {
public:
  Calls(ModuleOp module, Operation *op)
      : module(module), builder(op), loc(op->getLoc()) {}

  Value number(int64_t value, unsigned bits) {
    return arith::ConstantIntOp::create(builder, loc, value, bits);
  }
  Value cast(Value index, unsigned bits) {
    return arith::IndexCastOp::create(builder, loc,
                                      builder.getIntegerType(bits), index);
  }
  /// The address where a buffer begins in memory, without the offset of its
  /// type, as kernels expect it.
  Value address(Value buffer) {
    return cast(
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer),
        64);
  }
  /// The address of the first element.
  Value firstElement(Value buffer) {
    auto metadata =
        memref::ExtractStridedMetadataOp::create(builder, loc, buffer);
    int64_t size = elementBytes(typeOf(buffer).getElementType());
    Value bytes = arith::MulIOp::create(
        builder, loc, cast(metadata.getOffset(), 64), number(size, 64));
    return arith::AddIOp::create(builder, loc, address(buffer), bytes);
  }
  /// A scalar as 8 bytes, of which a kernel reads the first ones.
  Value bits(Value scalar) {
    Type type = scalar.getType();
    if (type.isIndex())
      return cast(scalar, 64);
    unsigned width = type.getIntOrFloatBitWidth();
    if (isa<FloatType>(type))
      scalar = arith::BitcastOp::create(builder, loc,
                                        builder.getIntegerType(width), scalar);
    if (width < 64)
      scalar =
          arith::ExtUIOp::create(builder, loc, builder.getI64Type(), scalar);
    return scalar;
  }
  func::CallOp call(StringRef name, ValueRange operands, TypeRange results) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function) {
      OpBuilder atStart = OpBuilder::atBlockBegin(module.getBody());
      function = func::FuncOp::create(
          atStart, module.getLoc(), name,
          builder.getFunctionType(operands.getTypes(), results));
      function.setPrivate();
    }
    return func::CallOp::create(builder, loc, function, operands);
  }

  ModuleOp module;
  OpBuilder builder;
  Location loc;
};

struct LaunchKernelsPass
    : public pruner::impl::LaunchKernelsPassBase<LaunchKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    kernels.clear();
    SmallVector<gpu::LaunchFuncOp> launches;
    SmallVector<memref::CopyOp> copies;
    SmallVector<memref::GetGlobalOp> constants;
    for (auto function : module.getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
          launches.push_back(launch);
        else if (auto copy = dyn_cast<memref::CopyOp>(op))
          copies.push_back(copy);
        else if (auto constant = dyn_cast<memref::GetGlobalOp>(op))
          constants.push_back(constant);
      });
    for (gpu::LaunchFuncOp launch : launches)
      if (failed(lower(launch)))
        return signalPassFailure();
    for (memref::CopyOp copy : copies)
      lower(copy);
    lower(constants);
    describe();
  }

  LogicalResult lower(gpu::LaunchFuncOp launch) {
    int64_t shared = 0;
    APInt bytes;
    if (Value size = launch.getDynamicSharedMemorySize()) {
      if (!matchPattern(size, m_ConstantInt(&bytes)))
        return launch.emitOpError("expects a constant size of the dynamic "
                                  "shared memory");
      shared = bytes.getSExtValue();
    }
    auto known = kernels.insert({launch.getKernelName().getValue(), {}}).first;
    known->second = std::max(known->second, shared);
    Calls calls(getOperation(), launch);
    SmallVector<Value> values = {calls.number(known - kernels.begin(), 32)};
    for (const gpu::KernelDim3 &size : {launch.getGridSizeOperandValues(),
                                        launch.getBlockSizeOperandValues()})
      for (Value extent : {size.x, size.y, size.z})
        values.push_back(calls.cast(extent, 32));
    values.push_back(calls.number(shared, 32));
    unsigned count = launch.getNumKernelOperands();
    values.push_back(storeArguments(calls, launch.getKernelOperands()));
    values.push_back(calls.number(count, 32));
    calls.call("pruner_network_launch", values, {});
    launch.erase();
    ++numLaunches;
    return success();
  }

  /// Stores 8 bytes for each argument of a kernel. Returns their address.
  static Value storeArguments(Calls &calls, ValueRange arguments) {
    OpBuilder &builder = calls.builder;
    auto type = MemRefType::get({std::max<int64_t>(arguments.size(), 1)},
                                builder.getI64Type());
    Value list = memref::AllocaOp::create(builder, calls.loc, type);
    for (auto [n, argument] : llvm::enumerate(arguments)) {
      Value place = arith::ConstantIndexOp::create(builder, calls.loc, n);
      Value value = isa<MemRefType>(argument.getType())
                        ? calls.address(argument)
                        : calls.bits(argument);
      memref::StoreOp::create(builder, calls.loc, value, list, place);
    }
    return calls.address(list);
  }

  void lower(memref::CopyOp copy) {
    Calls calls(getOperation(), copy);
    int64_t bytes = bufferBytes(typeOf(copy.getSource()));
    if (bytes != 0)
      calls.call("pruner_network_copy",
                 {calls.firstElement(copy.getTarget()),
                  calls.firstElement(copy.getSource()),
                  calls.number(bytes, 64)},
                 {});
    copy.erase();
  }

  /// Places all constants in one block of device memory.
  void lower(ArrayRef<memref::GetGlobalOp> uses) {
    Builder builder(&getContext());
    llvm::MapVector<StringRef, int64_t> places;
    constantBytes = 0;
    for (memref::GetGlobalOp use : uses) {
      auto [place, isNew] = places.insert({use.getName(), constantBytes});
      if (isNew)
        constantBytes += llvm::alignTo(bufferBytes(use.getType()), kAlignment);
    }
    auto type = MemRefType::get({constantBytes}, builder.getI8Type());
    for (memref::GetGlobalOp use : uses) {
      Calls calls(getOperation(), use);
      Value memory =
          calls.call("pruner_network_constant_memory", {}, type).getResult(0);
      Value place = arith::ConstantIndexOp::create(
          calls.builder, calls.loc, places.lookup(use.getName()));
      Value view = memref::ViewOp::create(
          calls.builder, calls.loc, use.getType(), memory, place, ValueRange());
      use.replaceAllUsesWith(view);
      use.erase();
    }
    constantNames.clear();
    constantPlaces.clear();
    for (auto [name, place] : places) {
      constantNames.push_back(FlatSymbolRefAttr::get(&getContext(), name));
      constantPlaces.push_back(place);
    }
  }

  void describe() {
    Builder builder(&getContext());
    SmallVector<StringRef> names =
        llvm::to_vector(llvm::make_first_range(kernels));
    SmallVector<int64_t> shared =
        llvm::to_vector(llvm::make_second_range(kernels));
    NamedAttrList device;
    device.set("constant_bytes", builder.getI64IntegerAttr(constantBytes));
    device.set("constant_places", builder.getDenseI64ArrayAttr(constantPlaces));
    device.set("constants", builder.getArrayAttr(constantNames));
    device.set("kernels", builder.getStrArrayAttr(names));
    device.set("shared", builder.getDenseI64ArrayAttr(shared));
    getOperation()->setAttr("pruner.device",
                            device.getDictionary(&getContext()));
  }

  /// For each kernel by its name, the dynamic shared memory of its launches.
  llvm::MapVector<StringRef, int64_t> kernels;
  SmallVector<Attribute> constantNames;
  SmallVector<int64_t> constantPlaces;
  int64_t constantBytes = 0;
};
} // namespace
