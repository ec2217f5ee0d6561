//===- PrepareNetwork.cpp - a network's entry and its tasks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BufferPlan.h"
#include "InlineCall.h"

#include "pruner/Conversion/NetworkToLLVM/Lowerable.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Sketch/Sketch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace pruner {
#define GEN_PASS_DEF_PREPARENETWORKPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

static bool hasTensors(func::FuncOp function) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(function.getArgumentTypes(), isTensor) ||
         llvm::any_of(function.getResultTypes(), isTensor);
}

namespace {
struct PrepareNetworkPass
    : public pruner::impl::PrepareNetworkPassBase<PrepareNetworkPass> {
  using PrepareNetworkPassBase::PrepareNetworkPassBase;

  void runOnOperation() override {
    FailureOr<func::FuncOp> network = findEntry();
    if (failed(network) || failed(checkEntry(*network)) ||
        failed(inlineCalls(*network)))
      return signalPassFailure();
    describe(*network);
    fillConstants();
    separateFills(*network);
  }

  FailureOr<func::FuncOp> findEntry() {
    ModuleOp module = getOperation();
    if (!entry.empty()) {
      auto function = module.lookupSymbol<func::FuncOp>(entry);
      if (!function || function.isExternal())
        return module.emitError("expected a function @")
               << entry << " with a body";
      function.setPublic();
      // The function that it prepares for belongs to another library.
      function->removeAttr("pruner.prepares");
      for (auto other : module.getOps<func::FuncOp>())
        if (other != function && !other.isExternal())
          other.setPrivate();
      return function;
    }
    func::FuncOp found;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (!function.isPublic() || function.isExternal() ||
          function->hasAttr("pruner.prepares"))
        continue;
      if (found)
        return function.emitError(
                   "this is a second public function in addition to @")
               << found.getName() << "; choose one with 'entry'";
      found = function;
    }
    if (!found)
      return module.emitError("expected a public function with a body");
    return found;
  }

  LogicalResult checkEntry(func::FuncOp function) {
    // No call can name a function of another module.
    for (Operation &op : llvm::make_early_inc_range(*getOperation().getBody()))
      if (isa<ModuleOp>(op))
        op.erase();
    if (!device)
      eraseKernels();
    if (failed(pruner::checkInterface(function)))
      return failure();
    return checkApplied(function);
  }

  /// In a network for a CPU no function launches the kernels of the module.
  void eraseKernels() {
    ModuleOp module = getOperation();
    for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
      if (isa<gpu::GPUModuleOp, gpu::BinaryOp>(op))
        op.erase();
    module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  }

  /// Rejects a function with a schedule that is not applied, so that no
  /// schedule is lost.
  static LogicalResult checkApplied(func::FuncOp function) {
    auto schedule = function->getAttrOfType<pruner::ScheduleAttr>(
        pruner::PrunerDialect::getScheduleAttrName());
    if (!schedule)
      return success();
    InFlightDiagnostic error = function.emitError("@")
                               << function.getName()
                               << " has a schedule that is not applied; ";
    return error << "run pruner-opt --pruner-tile --convert-pruner-to-"
                 << (sketchOf(schedule.getValue()).gpu ? "gpu" : "cpu")
                 << " first";
  }

  /// Depth first, to detect recursive calls.
  LogicalResult inlineCalls(func::FuncOp function) {
    struct Pending {
      func::CallOp call;
      SmallVector<func::FuncOp, 4> inside;
    };
    SymbolTable symbols(getOperation());
    SmallVector<Pending> work;
    auto push = [&](Operation *root, ArrayRef<func::FuncOp> inside) {
      root->walk([&](func::CallOp call) {
        work.push_back({call, llvm::to_vector<4>(inside)});
      });
    };
    push(function, {function});
    while (!work.empty()) {
      Pending next = work.pop_back_val();
      auto callee = symbols.lookup<func::FuncOp>(next.call.getCallee());
      if (callee && failed(checkApplied(callee)))
        return failure();
      if (!callee || !hasTensors(callee))
        continue;
      if (callee.isExternal())
        return next.call.emitError("calls @")
               << callee.getName() << ", which has no body";
      if (llvm::is_contained(next.inside, callee))
        return next.call.emitError("calls @")
               << callee.getName() << " recursively";
      if (!callee.getBody().hasOneBlock())
        continue;
      next.inside.push_back(callee);
      for (Operation *op : pruner::inlineCall(next.call, callee))
        push(op, next.inside);
      ++numInlined;
    }
    return success();
  }

  void describe(func::FuncOp function) {
    Builder builder(&getContext());
    NamedAttrList interface;
    interface.set("entry", function.getSymNameAttr());
    interface.set("inputs",
                  builder.getTypeArrayAttr(function.getArgumentTypes()));
    interface.set("outputs",
                  builder.getTypeArrayAttr(function.getResultTypes()));
    SmallVector<Attribute> inputs, outputs;
    for (unsigned n = 0; n < function.getNumArguments(); ++n)
      if (auto name = function.getArgAttrOfType<StringAttr>(n, "pruner.name"))
        inputs.push_back(name);
    for (unsigned n = 0; n < function.getNumResults(); ++n)
      if (auto name =
              function.getResultAttrOfType<StringAttr>(n, "pruner.name"))
        outputs.push_back(name);
    // Names for some arguments only are not used.
    if (inputs.size() == function.getNumArguments())
      interface.set("input_names", builder.getArrayAttr(inputs));
    if (outputs.size() == function.getNumResults())
      interface.set("output_names", builder.getArrayAttr(outputs));
    getOperation()->setAttr("pruner.interface",
                            interface.getDictionary(&getContext()));
    // The lowering does not use these attributes.
    for (unsigned n = 0; n < function.getNumArguments(); ++n)
      for (StringRef name : {"pruner.name", "pruner.constant"})
        function.removeArgAttr(n, name);
    for (unsigned n = 0; n < function.getNumResults(); ++n)
      function.removeResultAttr(n,
                                StringAttr::get(&getContext(), "pruner.name"));
  }

  /// Large constants of equal elements are filled when the network runs.
  void fillConstants() {
    getOperation().walk([](arith::ConstantOp op) {
      auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
      if (!splat || !isa<RankedTensorType>(op.getType()) ||
          !splat.getElementType().isIntOrIndexOrFloat() ||
          pruner::bufferBytes(splat.getType()) <= pruner::kMaxConstantBytes)
        return;
      OpBuilder builder(op);
      Location loc = op.getLoc();
      Value element = arith::ConstantOp::create(
          builder, loc, splat.getSplatValue<TypedAttr>());
      Value empty = tensor::EmptyOp::create(
          builder, loc, splat.getType().getShape(), splat.getElementType());
      op.replaceAllUsesWith(
          linalg::FillOp::create(builder, loc, element, empty)->getResult(0));
      op.erase();
    });
  }

  void separateFills(func::FuncOp function) {
    SmallVector<linalg::FillOp> fills;
    function.walk([&](linalg::FillOp op) {
      if (op->getNumResults() == 1)
        fills.push_back(op);
    });
    for (linalg::FillOp op : fills) {
      auto empty = op.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
      SmallVector<OpOperand *> inits;
      for (OpOperand &use : op->getUses()) {
        auto owner = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
        if (owner && owner.isDpsInit(&use))
          inits.push_back(&use);
      }
      if (!empty || inits.empty() || op->hasOneUse())
        continue;
      // The list of uses begins with the last use.
      for (OpOperand *use : llvm::ArrayRef(inits).drop_back()) {
        OpBuilder builder(use->getOwner());
        Operation *ownEmpty = builder.clone(*empty);
        IRMapping mapping;
        mapping.map(empty.getResult(), ownEmpty->getResult(0));
        use->set(builder.clone(*op, mapping)->getResult(0));
      }
    }
  }
};
} // namespace
