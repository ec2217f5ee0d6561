//===- SplitFunctions.cpp - move functions into separate modules ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SplitFunctions.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace pruner;

static bool isKernel(Operation *function) {
  return function->hasAttr(PrunerDialect::getAppliedAttrName());
}

/// True for kernels and operations. Other functions stay internal, because
/// their names may be those of a library.
static bool isApart(LLVM::LLVMFuncOp function) {
  return !function.isExternal() &&
         (isKernel(function) ||
          function->hasAttr(PrunerDialect::getWorkAttrName()));
}

using Names = llvm::SetVector<StringAttr>;

/// Adds the symbols that an operation and its regions refer to.
static void addNames(Operation *op, Names &names) {
  if (auto uses = SymbolTable::getSymbolUses(op))
    for (SymbolTable::SymbolUse use : *uses)
      names.insert(use.getSymbolRef().getRootReference());
}

static void expose(LLVM::LLVMFuncOp function) {
  function.setLinkage(LLVM::Linkage::External);
  function.setVisibility_(LLVM::Visibility::Hidden);
}

/// Copies `op` into another module: functions and externally visible symbols
/// become declarations, constants are duplicated.
static Operation *declare(Operation *op) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
    auto declared = cast<LLVM::LLVMFuncOp>(op->cloneWithoutRegions());
    if (!function.isExternal())
      expose(declared);
    return declared;
  }
  Operation *copy = op->clone();
  auto global = dyn_cast<LLVM::GlobalOp>(copy);
  if (global && global.getLinkage() == LLVM::Linkage::External) {
    global.removeValueAttr();
    global.getInitializerRegion().getBlocks().clear();
  }
  return copy;
}

/// A copy of the function in a separate module.
static OwningOpRef<ModuleOp> copyApart(LLVM::LLVMFuncOp function,
                                       const SymbolTable &symbols) {
  auto module = cast<ModuleOp>(symbols.getOp());
  OwningOpRef<ModuleOp> apart(ModuleOp::create(module.getLoc()));
  (*apart)->setAttrs(module->getAttrDictionary());
  (*apart)->removeAttr("pruner.interface");
  Operation *copy = function->clone();
  apart->push_back(copy);
  Names names;
  addNames(copy, names);
  names.remove(function.getNameAttr());
  for (size_t n = 0; n < names.size(); ++n)
    if (Operation *named = symbols.lookup(names[n])) {
      apart->push_back(declare(named));
      if (names[n] != function.getNameAttr())
        addNames(&apart->getBody()->back(), names);
    }
  return apart;
}

/// Erases unused declarations and internal globals.
static void eraseUnused(ModuleOp module) {
  Names names;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    addNames(function, names);
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getLinkage() == LLVM::Linkage::External)
      addNames(global, names);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
      if (function.isExternal() && !names.contains(function.getNameAttr()))
        function.erase();
    } else if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
      if (global.getLinkage() != LLVM::Linkage::External &&
          !names.contains(global.getSymNameAttr()))
        global.erase();
    }
  }
}

std::vector<FunctionApart> pruner::splitFunctions(ModuleOp module) {
  const SymbolTable symbols(module);
  SmallVector<LLVM::LLVMFuncOp> moved;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    const bool apart = isApart(function);
    if (apart)
      moved.push_back(function);
    Names names;
    addNames(function, names);
    for (StringAttr name : names) {
      auto named = symbols.lookup<LLVM::LLVMFuncOp>(name);
      if (named && named != function && !named.isExternal() &&
          (apart || isApart(named)))
        expose(named);
    }
  }
  std::vector<FunctionApart> parts;
  for (LLVM::LLVMFuncOp function : moved)
    parts.push_back({copyApart(function, symbols), isKernel(function)});
  for (LLVM::LLVMFuncOp function : moved) {
    expose(function);
    function.getBody().dropAllReferences();
    function.getBody().getBlocks().clear();
  }
  eraseUnused(module);
  return parts;
}
