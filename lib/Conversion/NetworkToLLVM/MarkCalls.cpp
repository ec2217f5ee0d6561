//===- MarkCalls.cpp - insert the marks of the profiler -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace pruner {
#define GEN_PASS_DEF_MARKCALLSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// The mark before a call, for the work since the last mark.
static constexpr int32_t kBetween = -1;

namespace {
struct MarkCallsPass : public pruner::impl::MarkCallsPassBase<MarkCallsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto interface = module->getAttrOfType<DictionaryAttr>("pruner.interface");
    auto name = interface ? interface.getAs<StringAttr>("entry") : StringAttr();
    auto network =
        name ? module.lookupSymbol<LLVM::LLVMFuncOp>(name) : LLVM::LLVMFuncOp();
    if (!network || interface.contains("calls"))
      return;

    SymbolTable symbols(module);
    llvm::MapVector<Attribute, int32_t> kernels;
    SmallVector<int32_t> calls;
    SmallVector<std::pair<Operation *, int32_t>> marks;
    for (Block &block : network.getBody()) {
      bool between = !block.isEntryBlock();
      for (Operation &op : block) {
        DictionaryAttr kernel = describe(op, symbols);
        if (!kernel) {
          between |= !isMemoryEffectFree(&op);
          continue;
        }
        if (between)
          marks.push_back({&op, kBetween});
        between = false;
        marks.push_back({op.getNextNode(), int32_t(calls.size())});
        calls.push_back(
            kernels.insert({kernel, int32_t(kernels.size())}).first->second);
      }
    }
    declare(module);
    // From the end, so that a split only moves the ops up to the next mark.
    for (auto [next, site] : llvm::reverse(marks))
      mark(next, site);
    numMarks += marks.size();

    Builder builder(&getContext());
    NamedAttrList described(interface);
    described.set("kernels", builder.getArrayAttr(llvm::to_vector(
                                 llvm::make_first_range(kernels))));
    described.set("calls", builder.getDenseI32ArrayAttr(calls));
    module->setAttr("pruner.interface", described.getDictionary(&getContext()));
  }

  /// The name and the known work of `op`, if it is a call or a copy.
  DictionaryAttr describe(Operation &op, SymbolTable &symbols) {
    NamedAttrList kernel;
    Builder builder(&getContext());
    auto call = dyn_cast<LLVM::CallOp>(op);
    Value copied;
    if (auto copy = dyn_cast<LLVM::MemcpyOp>(op))
      copied = copy.getLen();
    else if (call && call.getCallee() == kCopy)
      copied = call.getArgOperands().back();
    if (copied) {
      kernel.set("name", builder.getStringAttr("copy"));
      APInt bytes;
      if (matchPattern(copied, m_ConstantInt(&bytes)))
        kernel.set("bytes",
                   builder.getI64IntegerAttr(2 * bytes.getSExtValue()));
      return kernel.getDictionary(&getContext());
    }
    auto callee = call && call.getCallee()
                      ? symbols.lookup<LLVM::LLVMFuncOp>(*call.getCallee())
                      : LLVM::LLVMFuncOp();
    if (!callee || callee.isExternal())
      return {};
    StringRef name = callee.getName();
    name.consume_back("_kernel");
    kernel.set("name", builder.getStringAttr(name));
    for (StringRef work :
         {PrunerDialect::getTaskAttrName(), PrunerDialect::getWorkAttrName()}) {
      auto known = callee->getAttrOfType<DictionaryAttr>(work);
      if (!known)
        continue;
      for (StringRef fact : {"key", "flops", "bytes"})
        if (Attribute value = known.get(fact))
          kernel.set(fact, value);
      if (auto loops = known.getAs<StringAttr>("loops"))
        kernel.set("name",
                   builder.getStringAttr(name + " " + loops.getValue()));
    }
    if (Attribute seconds =
            callee->getAttr(PrunerDialect::getSecondsAttrName()))
      kernel.set("seconds", seconds);
    return kernel.getDictionary(&getContext());
  }

  void declare(ModuleOp module) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    LLVM::GlobalOp::create(builder, module.getLoc(), builder.getI32Type(),
                           /*isConstant=*/false, LLVM::Linkage::External,
                           kProfiled, Attribute())
        .setVisibility_(LLVM::Visibility::Hidden);
    LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), kMark,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    {builder.getI32Type()}))
        .setVisibility_(LLVM::Visibility::Hidden);
  }

  void mark(Operation *next, int32_t site) {
    Location loc = next->getLoc();
    Block *head = next->getBlock();
    Block *rest = head->splitBlock(next);
    OpBuilder builder = OpBuilder::atBlockEnd(head);
    Value address = LLVM::AddressOfOp::create(
        builder, loc, LLVM::LLVMPointerType::get(&getContext()), kProfiled);
    // Volatile. Otherwise LLVM sees that no call changes the value and makes
    // two versions of the function, with and without marks.
    Value value =
        LLVM::LoadOp::create(builder, loc, builder.getI32Type(), address,
                             /*alignment=*/4, /*isVolatile=*/true);
    Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                          builder.getI32IntegerAttr(0));
    Value profiled = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                          value, zero);
    Block *marked = builder.createBlock(rest);
    Value number = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                            builder.getI32IntegerAttr(site));
    LLVM::CallOp::create(builder, loc, TypeRange(), kMark, ValueRange(number));
    LLVM::BrOp::create(builder, loc, rest);
    builder.setInsertionPointToEnd(head);
    LLVM::CondBrOp::create(builder, loc, profiled, marked, ValueRange(), rest,
                           ValueRange(),
                           std::pair<uint32_t, uint32_t>(1, 1 << 20));
  }

  static constexpr llvm::StringLiteral kProfiled = "pruner_network_profiled";
  static constexpr llvm::StringLiteral kMark = "pruner_network_mark";
  static constexpr llvm::StringLiteral kCopy = "pruner_network_copy";
};
} // namespace
