//===- LowerAllReduce.cpp - reductions over a block -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;
using namespace pruner::emulator;

/// Every thread publishes its value, waits, and reduces all values in the order
/// of the threads, so that all threads get the same result to the last bit. The
/// upstream lowering is for hardware: its threads write equal results to one
/// element without a barrier, which the race check would report.
LogicalResult emulator::lowerAllReduce(gpu::AllReduceOp op, Value scratch) {
  if (!op.getOp())
    return op.emitOpError(
        "is not supported by the emulator with a region: name the operation");
  HostBuilder builder(op);
  auto dimension = [&](auto make) {
    SmallVector<Value, 3> values;
    for (auto dim : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z})
      values.push_back(make(dim));
    return values;
  };
  auto thread = dimension([&](gpu::Dimension dim) -> Value {
    return gpu::ThreadIdOp::create(builder, dim);
  });
  auto extent = dimension([&](gpu::Dimension dim) -> Value {
    return gpu::BlockDimOp::create(builder, dim);
  });
  auto multiply = [&](Value lhs, Value rhs) -> Value {
    return arith::MulIOp::create(builder, lhs, rhs);
  };
  auto add = [&](Value lhs, Value rhs) -> Value {
    return arith::AddIOp::create(builder, lhs, rhs);
  };
  Value row = add(multiply(thread[2], extent[1]), thread[1]);
  Value self = add(multiply(row, extent[0]), thread[0]);
  Value count = multiply(multiply(extent[0], extent[1]), extent[2]);

  memref::StoreOp::create(builder, op.getValue(), scratch, self);
  gpu::BarrierOp::create(builder);
  Value first = memref::LoadOp::create(builder, scratch, builder.index(0));
  auto kind = gpu::convertReductionKind(*op.getOp());
  auto loop = scf::ForOp::create(
      builder, builder.index(1), count, builder.index(1), ValueRange(first),
      [&](OpBuilder &body, Location loc, Value n, ValueRange sum) {
        Value next = memref::LoadOp::create(body, loc, scratch, n);
        scf::YieldOp::create(
            body, loc,
            vector::makeArithReduction(body, loc, kind, sum.front(), next));
      });
  // The scratch memory may be reused only after all threads have read it.
  gpu::BarrierOp::create(builder);
  op.replaceAllUsesWith(loop.getResult(0));
  op.erase();
  return success();
}
