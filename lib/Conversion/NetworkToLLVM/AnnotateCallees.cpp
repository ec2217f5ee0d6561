//===- AnnotateCallees.cpp - annotate arguments of private functions ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/StringMap.h"

namespace pruner {
#define GEN_PASS_DEF_ANNOTATECALLEESPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

namespace {
/// The buffer of a value.
struct Origin {
  /// An allocation, a global or an argument of a public function.
  Value buffer;
  bool known = false;
  bool atStart = true; ///< The value begins where the buffer does.
};
} // namespace

static Origin originOf(Value value) {
  Origin origin;
  while (Operation *def = value.getDefiningOp()) {
    auto view = dyn_cast<ViewLikeOpInterface>(def);
    if (!view || view.getViewDest() != value)
      break;
    if (!isa<memref::CollapseShapeOp, memref::ExpandShapeOp, memref::CastOp>(
            def))
      origin.atStart = false;
    value = view.getViewSource();
  }
  origin.buffer = value;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    origin.known = function && function.isPublic();
  } else {
    origin.known =
        isa<memref::AllocOp, memref::GetGlobalOp>(value.getDefiningOp());
  }
  return origin;
}

/// True if the buffer is only read through this value and views of it.
static bool isOnlyRead(Value value) {
  SmallVector<Value> work = {value};
  while (!work.empty()) {
    Value next = work.pop_back_val();
    for (Operation *user : next.getUsers()) {
      if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
        work.push_back(view.getViewDest());
        continue;
      }
      auto effects = dyn_cast<MemoryEffectOpInterface>(user);
      if (!effects)
        return false;
      SmallVector<MemoryEffects::EffectInstance> found;
      effects.getEffectsOnValue(next, found);
      if (found.empty() || llvm::any_of(found, [](auto &effect) {
            return !isa<MemoryEffects::Read>(effect.getEffect());
          }))
        return false;
    }
  }
  return true;
}

namespace {
struct AnnotateCalleesPass
    : public pruner::impl::AnnotateCalleesPassBase<AnnotateCalleesPass> {
  using AnnotateCalleesPassBase::AnnotateCalleesPassBase;

  struct Facts {
    SmallVector<bool> apart, aligned, onlyRead;
    unsigned calls = 0;
  };

  void visit(func::CallOp call, Facts &facts) {
    SmallVector<Origin> origins;
    for (Value operand : call.getOperands())
      origins.push_back(isa<MemRefType>(operand.getType()) ? originOf(operand)
                                                           : Origin());
    ++facts.calls;
    for (auto [n, origin] : llvm::enumerate(origins)) {
      if (!origin.buffer)
        continue;
      if (!origin.known || !origin.atStart)
        facts.aligned[n] = false;
      for (auto [m, other] : llvm::enumerate(origins)) {
        if (m == n || !other.buffer || (facts.onlyRead[n] && facts.onlyRead[m]))
          continue;
        if (!origin.known || !other.known || origin.buffer == other.buffer)
          facts.apart[n] = false;
      }
    }
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    DenseMap<Operation *, Facts> known;
    SmallVector<func::FuncOp> candidates;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPrivate() || function.isExternal())
        continue;
      Facts facts;
      for (BlockArgument argument : function.getArguments()) {
        facts.apart.push_back(true);
        facts.aligned.push_back(true);
        facts.onlyRead.push_back(isOnlyRead(argument));
      }
      known.try_emplace(function, std::move(facts));
      candidates.push_back(function);
    }
    getOperation().walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (auto facts = known.find(callee); facts != known.end())
        visit(call, facts->second);
    });
    // A use that is not a visited call may pass the function's address
    // elsewhere.
    llvm::StringMap<unsigned> uses;
    if (auto all = SymbolTable::getSymbolUses(&getOperation().getBodyRegion()))
      for (SymbolTable::SymbolUse use : *all)
        ++uses[use.getSymbolRef().getRootReference()];
    for (func::FuncOp function : candidates) {
      const Facts &facts = known[function];
      if (facts.calls != 0 && uses.lookup(function.getName()) == facts.calls)
        annotate(function, facts);
    }
  }

  void annotate(func::FuncOp function, const Facts &facts) {
    Builder builder(&getContext());
    for (unsigned n = 0, e = function.getNumArguments(); n != e; ++n) {
      if (!isa<MemRefType>(function.getArgument(n).getType()))
        continue;
      function.setArgAttr(n, LLVM::LLVMDialect::getNonNullAttrName(),
                          builder.getUnitAttr());
      if (facts.apart[n]) {
        function.setArgAttr(n, LLVM::LLVMDialect::getNoAliasAttrName(),
                            builder.getUnitAttr());
        ++numNoalias;
      }
      if (facts.aligned[n])
        function.setArgAttr(n, LLVM::LLVMDialect::getAlignAttrName(),
                            builder.getI64IntegerAttr(alignment));
    }
  }
};
} // namespace
