//===- AddEntryPoint.cpp - the entry point of a network's library ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/Matchers.h"

namespace pruner {
#define GEN_PASS_DEF_ADDENTRYPOINTPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

/// The largest trip count of any parallel loop; more threads would idle.
static int64_t maxThreads(ModuleOp module) {
  int64_t most = 1;
  module.walk([&](omp::LoopNestOp loop) {
    int64_t trips = 1;
    for (auto [low, high, step] :
         llvm::zip(loop.getLoopLowerBounds(), loop.getLoopUpperBounds(),
                   loop.getLoopSteps())) {
      APInt l, h, s;
      if (!matchPattern(low, m_ConstantInt(&l)) ||
          !matchPattern(high, m_ConstantInt(&h)) ||
          !matchPattern(step, m_ConstantInt(&s)) || !s.isStrictlyPositive())
        trips = 1 << 16;
      else
        trips *= std::max<int64_t>(
            0, llvm::divideCeil(
                   std::max<int64_t>(0, h.getSExtValue() - l.getSExtValue()),
                   s.getSExtValue()));
    }
    most = std::max(most, trips);
  });
  return most;
}

namespace {
struct AddEntryPointPass
    : public pruner::impl::AddEntryPointPassBase<AddEntryPointPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto interface = module->getAttrOfType<DictionaryAttr>("pruner.interface");
    auto name = interface ? interface.getAs<StringAttr>("entry") : StringAttr();
    auto inputs =
        interface ? interface.getAs<ArrayAttr>("inputs") : ArrayAttr();
    auto outputs =
        interface ? interface.getAs<ArrayAttr>("outputs") : ArrayAttr();
    if (!name || !inputs || !outputs) {
      module.emitError("the module has no 'pruner.interface'; run "
                       "pruner-prepare-network first");
      return signalPassFailure();
    }
    auto network = module.lookupSymbol<LLVM::LLVMFuncOp>(name.getValue());
    size_t expected = inputs.size() + outputs.size() + 1;
    if (!network || network.getNumArguments() != expected) {
      module.emitError("'pruner.interface' names @")
          << name.getValue() << ", which is not a function of " << expected
          << " pointers";
      return signalPassFailure();
    }
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal())
        continue;
      function.setLinkage(LLVM::Linkage::Internal);
      // Inlined into the network's function, these would cost LLVM minutes.
      function.setNoInline(true);
    }

    Location loc = network.getLoc();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    emitEntry(builder, loc, network, inputs.size(), outputs.size());
    int64_t workspace = 0;
    if (auto bytes = network.getArgAttrOfType<IntegerAttr>(expected - 1,
                                                           "pruner.workspace"))
      workspace = bytes.getInt();
    network.removeArgAttr(expected - 1, "pruner.workspace");
    NamedAttrList described(interface);
    described.set("workspace", builder.getI64IntegerAttr(workspace));
    module->setAttr("pruner.interface", described.getDictionary(&getContext()));
    auto calls = interface.getAs<DenseI32ArrayAttr>("calls");
    int64_t facts[] = {int64_t(inputs.size()), int64_t(outputs.size()),
                       workspace, maxThreads(module), calls ? calls.size() : 0};
    LLVM::GlobalOp::create(
        builder, loc, LLVM::LLVMArrayType::get(builder.getI64Type(), 5),
        /*isConstant=*/true, LLVM::Linkage::External, "pruner_network_facts",
        DenseElementsAttr::get(RankedTensorType::get({5}, builder.getI64Type()),
                               llvm::ArrayRef(facts)))
        .setVisibility_(LLVM::Visibility::Hidden);
  }

  void emitEntry(OpBuilder builder, Location loc, LLVM::LLVMFuncOp network,
                 unsigned inputs, unsigned outputs) {
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto entry = LLVM::LLVMFuncOp::create(
        builder, loc, "pruner_network_entry",
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    {pointer, pointer, pointer}));
    entry.setVisibility_(LLVM::Visibility::Hidden);
    Block *body = entry.addEntryBlock(builder);
    builder.setInsertionPointToStart(body);
    SmallVector<Value> arguments;
    auto load = [&](Value array, unsigned count) {
      for (unsigned n = 0; n < count; ++n) {
        Value slot = LLVM::GEPOp::create(builder, loc, pointer, pointer, array,
                                         ArrayRef<LLVM::GEPArg>(int32_t(n)));
        arguments.push_back(LLVM::LoadOp::create(builder, loc, pointer, slot));
      }
    };
    load(body->getArgument(0), inputs);
    load(body->getArgument(1), outputs);
    arguments.push_back(body->getArgument(2));
    LLVM::CallOp::create(builder, loc, network, arguments);
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  }
};
} // namespace
