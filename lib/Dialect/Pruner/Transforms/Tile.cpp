//===- Tile.cpp - apply schedules -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TargetOption.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Dialect/Pruner/Transforms/EmitKernel.h"
#include "pruner/Dialect/Pruner/Transforms/EmitPacking.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Sketch/Sketch.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

namespace pruner {
#define GEN_PASS_DEF_TILEPASS
#include "pruner/Dialect/Pruner/Transforms/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// Replaces the task's body by a call of the kernel on buffers: its arguments,
/// packed where `packs` has a function for it, a new buffer for the result, and
/// workspaces for any further arguments of the kernel.
static void callKernel(func::FuncOp task, func::FuncOp kernel,
                       ArrayRef<func::FuncOp> packs) {
  Block &body = task.getBody().front();
  while (!body.empty())
    body.back().erase();
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  Location loc = task.getLoc();
  SmallVector<Value> operands;
  for (auto [n, argument] : llvm::enumerate(task.getArguments())) {
    Value tensor = argument;
    if (packs[n])
      tensor =
          func::CallOp::create(builder, loc, packs[n], tensor).getResult(0);
    operands.push_back(bufferization::ToBufferOp::create(
        builder, loc, kernel.getArgumentTypes()[n], tensor,
        /*read_only=*/builder.getUnitAttr()));
  }
  SmallVector<Value> fresh;
  for (Type type : kernel.getArgumentTypes().drop_front(operands.size()))
    fresh.push_back(memref::AllocOp::create(
        builder, loc, cast<MemRefType>(type), builder.getI64IntegerAttr(64)));
  Value result = fresh.front();
  llvm::append_range(operands, fresh);
  func::CallOp::create(builder, loc, kernel, operands);
  for (Value workspace : ArrayRef(fresh).drop_front())
    memref::DeallocOp::create(builder, loc, workspace);
  Value tensor = bufferization::ToTensorOp::create(
      builder, loc, task.getResultTypes().front(), result, /*restrict=*/true,
      /*writable=*/true);
  func::ReturnOp::create(builder, loc, tensor);
}

namespace {
struct TilePass : public pruner::impl::TilePassBase<TilePass> {
  using TilePassBase::TilePassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    TargetOption machines(target, getOperation());
    SmallVector<func::FuncOp> tasks;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(PrunerDialect::getScheduleAttrName()) &&
          !function.getBody().empty() &&
          function.getBody().getOps<KernelOp>().empty())
        tasks.push_back(function);
    for (func::FuncOp function : tasks)
      if (failed(tile(function, symbols, machines)))
        return signalPassFailure();
  }

  LogicalResult tile(func::FuncOp function, SymbolTable &symbols,
                     TargetOption &machines) {
    auto schedule = cast<ScheduleAttr>(
        function->getAttr(PrunerDialect::getScheduleAttrName()));
    FailureOr<TaskIR> task = readTask(function);
    if (failed(task))
      return failure();
    const Schedule &value = schedule.getValue();
    const Machine *machine = machines.get(sketchOf(value).gpu);
    if (!machine)
      return failure();
    if (auto broken = checkSchedule(task->desc, value, *machine))
      return task->ops[task->desc.anchor]->emitError("illegal schedule: ")
             << broken->message;
    TiledProgram program = buildTiledProgram(task->desc, value);
    if (!machine->copiesAsynchronously())
      copyThroughRegisters(program);
    OpBuilder builder(function);
    builder.setInsertionPointAfter(function);
    std::string name = (function.getName() + "_kernel").str();
    func::FuncOp kernel = emitKernel(builder, name, *task, program);
    kernel->setAttr(PrunerDialect::getScheduleAttrName(), schedule);
    for (StringRef known : {PrunerDialect::getTaskAttrName(),
                            PrunerDialect::getSecondsAttrName()})
      if (Attribute value = function->getAttr(known))
        kernel->setAttr(known, value);
    kernel.setPrivate();
    symbols.insert(kernel);
    callKernel(function, kernel, packArguments(function, program, symbols));
    function->removeAttr(PrunerDialect::getScheduleAttrName());
    ++numTiled;
    return success();
  }

  /// For each argument of `function`, the function that packs it, or null.
  SmallVector<func::FuncOp> packArguments(func::FuncOp function,
                                          const TiledProgram &program,
                                          SymbolTable &symbols) {
    SmallVector<func::FuncOp> packs(function.getNumArguments());
    OpBuilder builder(function);
    for (const BufferDesc &buffer : program.buffers) {
      if (!buffer.isPackedAhead())
        continue;
      builder.setInsertionPointAfter(function);
      auto tensor =
          cast<RankedTensorType>(function.getArgumentTypes()[buffer.argument]);
      auto [pack, kernel] = emitPacking(
          builder, function.getLoc(),
          (function.getName() + "_pack" + Twine(buffer.argument)).str(), tensor,
          buffer);
      symbols.insert(pack);
      symbols.insert(kernel);
      packs[buffer.argument] = pack;
      ++numPacked;
    }
    return packs;
  }
};
} // namespace
