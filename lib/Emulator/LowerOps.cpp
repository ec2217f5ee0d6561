//===- LowerOps.cpp - GPU ops to calls of the runtime ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;
using namespace pruner::emulator;

void emulator::declareRuntime(OpBuilder &builder, Location loc) {
  Type index = builder.getIndexType(), i1 = builder.getI1Type(),
       i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto declare = [&](StringRef name, TypeRange inputs, TypeRange results) {
    auto function =
        func::FuncOp::create(builder, loc, ("pruner_emulator_" + name).str(),
                             builder.getFunctionType(inputs, results));
    function.setPrivate();
  };
  declare("barrier", {i32}, {});
  declare("access", {i32, index, i64}, {});
  declare("check_bounds", {i32, index, index, index, index}, {});
  declare("async_copy", {i32, index, index, index}, {});
  declare("async_commit", {}, {});
  declare("async_wait", {index}, {});
  declare("shuffle", {i32, index, i32, i32, i32}, {i1});
}

namespace {
/// Replaces the ops of one kernel.
class OpLowering {
public:
  OpLowering(gpu::GPUFuncOp kernel, const LoweringOptions &options,
             std::vector<Site> &sites)
      : kernel(kernel), options(options), sites(sites) {}

  void addIndices();
  LogicalResult lower(Operation *op);

private:
  /// The four triples of indices after the buffers.
  enum Triple { BlockId, ThreadId, BlockExtent, GridExtent };
  Value get(Triple triple, unsigned dim) {
    return kernel.getBody().front().getArgument(firstIndex + 3 * triple + dim);
  }
  Value get(Triple triple, gpu::Dimension dim) {
    return get(triple, static_cast<unsigned>(dim));
  }
  Value linearThread(HostBuilder &builder);
  Value threadCount(HostBuilder &builder);

  void lowerShuffle(gpu::ShuffleOp op);
  LogicalResult lowerCopy(nvgpu::DeviceAsyncCopyOp op);
  LogicalResult replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return success();
  }

  gpu::GPUFuncOp kernel;
  const LoweringOptions &options;
  std::vector<Site> &sites;
  unsigned firstIndex = 0;
};
} // namespace

void OpLowering::addIndices() {
  Block &entry = kernel.getBody().front();
  firstIndex = entry.getNumArguments();
  SmallVector<Type> types(12, IndexType::get(kernel.getContext()));
  SmallVector<Location> locations(12, kernel.getLoc());
  entry.addArguments(types, locations);
}

Value OpLowering::linearThread(HostBuilder &builder) {
  auto scaleAndAdd = [&](Value high, Value scale, Value low) -> Value {
    return arith::AddIOp::create(
        builder, arith::MulIOp::create(builder, high, scale), low);
  };
  Value yz =
      scaleAndAdd(get(ThreadId, 2u), get(BlockExtent, 1u), get(ThreadId, 1u));
  return scaleAndAdd(yz, get(BlockExtent, 0u), get(ThreadId, 0u));
}

Value OpLowering::threadCount(HostBuilder &builder) {
  Value xy = arith::MulIOp::create(builder, get(BlockExtent, 0u),
                                   get(BlockExtent, 1u));
  return arith::MulIOp::create(builder, xy, get(BlockExtent, 2u));
}

void OpLowering::lowerShuffle(gpu::ShuffleOp op) {
  HostBuilder builder(op);
  auto type = MemRefType::get({1}, op.getValue().getType());
  Site facts;
  facts.bytes = elementBytesOf(type);
  unsigned site = addSite(sites, op, facts);
  // One stack slot for the whole function; a slot for each iteration of a loop
  // would exhaust the stack.
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value slot = memref::AllocaOp::create(builder, type);
  builder.setInsertionPoint(op);
  Value zero = builder.index(0);
  memref::StoreOp::create(builder, op.getValue(), slot, zero);
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(builder, slot);
  Value valid = builder.call(
      "pruner_emulator_shuffle",
      {builder.integer(site, 32), pointer, op.getOffset(), op.getWidth(),
       builder.integer(static_cast<int64_t>(op.getMode()), 32)},
      builder.getI1Type());
  Value result = memref::LoadOp::create(builder, slot, zero);
  op.getShuffleResult().replaceAllUsesWith(result);
  op.getValid().replaceAllUsesWith(valid);
  op.erase();
}

/// `indices`, or zeros if `count` is zero. A copy that reads nothing may be at
/// any place.
static SmallVector<Value> wherePositive(HostBuilder &builder, Value count,
                                        ValueRange indices) {
  Value zero = builder.index(0);
  Value reads =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::ne, count, zero);
  return llvm::map_to_vector(indices, [&](Value index) -> Value {
    return arith::SelectOp::create(builder, reads, index, zero);
  });
}

LogicalResult OpLowering::lowerCopy(nvgpu::DeviceAsyncCopyOp op) {
  HostBuilder builder(op);
  auto destination = cast<MemRefType>(op.getDst().getType());
  // The verifier counts bits; here a copy must have 4, 8 or 16 bytes, too.
  if (destination.getElementTypeBitWidth() % 8)
    return op.emitOpError("is not supported by the emulator for ")
           << destination << ": elements share bytes";
  int64_t elements = op.getDstElements().getSExtValue();
  Site facts;
  facts.kind = AccessKind::Write;
  facts.elementBytes = elementBytesOf(destination);
  facts.bytes = elements * facts.elementBytes;
  unsigned site = addSite(sites, op, facts);
  Value count = op.getSrcElements();
  if (options.checkBounds) {
    SmallVector<int64_t> counts(op.getDstIndices().size(), 1);
    counts.back() = elements;
    checkBounds(builder, site, op.getDst(), op.getDstIndices(), counts);
    counts.assign(op.getSrcIndices().size(), 1);
    counts.back() = elements;
    if (count)
      checkBounds(builder, site, op.getSrc(),
                  wherePositive(builder, count, op.getSrcIndices()), counts,
                  builder.index(0), count);
    else
      checkBounds(builder, site, op.getSrc(), op.getSrcIndices(), counts);
  }
  builder.call("pruner_emulator_async_copy",
               {builder.integer(site, 32),
                builder.address(op.getDst(), op.getDstIndices()),
                builder.address(op.getSrc(), op.getSrcIndices()),
                count ? count : builder.index(elements)});
  // The queue of the thread already orders everything that tokens order.
  return replace(op, builder.index(0));
}

LogicalResult OpLowering::lower(Operation *op) {
  HostBuilder builder(op);
  auto divide = [&](Value lhs, Value rhs) -> Value {
    return arith::DivUIOp::create(builder, lhs, rhs);
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](gpu::BlockIdOp op) {
        return replace(op, get(BlockId, op.getDimension()));
      })
      .Case([&](gpu::ThreadIdOp op) {
        return replace(op, get(ThreadId, op.getDimension()));
      })
      .Case([&](gpu::BlockDimOp op) {
        return replace(op, get(BlockExtent, op.getDimension()));
      })
      .Case([&](gpu::GridDimOp op) {
        return replace(op, get(GridExtent, op.getDimension()));
      })
      .Case([&](gpu::LaneIdOp op) {
        Value lane = arith::RemUIOp::create(builder, linearThread(builder),
                                            builder.index(options.warpSize));
        return replace(op, lane);
      })
      .Case([&](gpu::SubgroupIdOp op) {
        return replace(
            op, divide(linearThread(builder), builder.index(options.warpSize)));
      })
      .Case([&](gpu::SubgroupSizeOp op) {
        return replace(op, builder.index(options.warpSize));
      })
      .Case([&](gpu::NumSubgroupsOp op) {
        Value roundedUp = arith::AddIOp::create(
            builder, threadCount(builder), builder.index(options.warpSize - 1));
        return replace(op, divide(roundedUp, builder.index(options.warpSize)));
      })
      .Case([&](gpu::BarrierOp op) {
        unsigned site = addSite(sites, op);
        builder.call("pruner_emulator_barrier", builder.integer(site, 32));
        op.erase();
        return success();
      })
      .Case([&](gpu::ShuffleOp op) {
        lowerShuffle(op);
        return success();
      })
      .Case([&](nvgpu::DeviceAsyncCopyOp op) { return lowerCopy(op); })
      .Case([&](nvgpu::DeviceAsyncCreateGroupOp op) {
        builder.call("pruner_emulator_async_commit", {});
        return replace(op, builder.index(0));
      })
      .Case([&](nvgpu::DeviceAsyncWaitOp op) {
        builder.call("pruner_emulator_async_wait",
                     builder.index(op.getNumGroups().value_or(0)));
        op.erase();
        return success();
      })
      .Case([&](gpu::ReturnOp op) {
        func::ReturnOp::create(builder);
        op.erase();
        return success();
      })
      .Default([](Operation *op) -> LogicalResult {
        // Ops without a lowering to the host would fail later with a less clear
        // error. Ops that access memory without checks would not fail at all.
        static const llvm::StringLiteral unseen[] = {
            "memref.copy",          "memref.alloc",
            "memref.dealloc",       "memref.generic_atomic_rmw",
            "memref.prefetch",      "vector.transfer_read",
            "vector.scatter",       "vector.transfer_write",
            "vector.gather",        "vector.expandload",
            "vector.compressstore", "func.call"};
        StringRef dialect = op->getName().getDialectNamespace();
        StringRef name = op->getName().getStringRef();
        bool ours =
            name == "func.call" &&
            cast<func::CallOp>(op).getCallee().starts_with("pruner_emulator_");
        if (!ours && (llvm::is_contained(unseen, name) || dialect == "gpu" ||
                      dialect == "nvgpu" || dialect == "nvvm" ||
                      dialect == "llvm" || dialect == "linalg"))
          return op->emitOpError("is not supported by the emulator");
        return success();
      });
}

LogicalResult emulator::lowerGPUOps(gpu::GPUFuncOp kernel,
                                    const LoweringOptions &options,
                                    std::vector<Site> &sites) {
  OpLowering lowering(kernel, options, sites);
  lowering.addIndices();
  SmallVector<Operation *> ops;
  kernel.getBody().walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (failed(lowering.lower(op)))
      return failure();
  return success();
}
