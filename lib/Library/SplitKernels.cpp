//===- SplitKernels.cpp - kernels apart from the rest ---------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

static bool isKernel(LLVM::LLVMFuncOp function) {
  return !function.isExternal() && function->hasAttr("pruner.applied");
}

/// The symbols that operations of `functions` name.
static llvm::StringSet<> namedBy(ArrayRef<LLVM::LLVMFuncOp> functions) {
  llvm::StringSet<> names;
  for (LLVM::LLVMFuncOp function : functions)
    if (auto uses = SymbolTable::getSymbolUses(function))
      for (SymbolTable::SymbolUse use : *uses)
        names.insert(use.getSymbolRef().getRootReference());
  return names;
}

static void expose(LLVM::LLVMFuncOp function) {
  function.setLinkage(LLVM::Linkage::External);
  function.setVisibility_(LLVM::Visibility::Hidden);
}

static void makeDeclaration(LLVM::LLVMFuncOp function) {
  expose(function);
  Region &body = function.getBody();
  body.dropAllReferences();
  body.getBlocks().clear();
}

/// Erases what nothing names, declarations and internal globals.
static void eraseUnused(ModuleOp module) {
  SmallVector<LLVM::LLVMFuncOp> functions(module.getOps<LLVM::LLVMFuncOp>());
  llvm::StringSet<> names = namedBy(functions);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op)) {
      if (function.isExternal() && !names.contains(function.getName()))
        function.erase();
    } else if (auto global = dyn_cast<LLVM::GlobalOp>(op)) {
      if (global.getLinkage() != LLVM::Linkage::External &&
          !names.contains(global.getName()))
        global.erase();
    }
  }
}

unsigned pruner::countFunctions(ModuleOp module) {
  return llvm::count_if(module.getOps<LLVM::LLVMFuncOp>(),
                        [](LLVM::LLVMFuncOp f) { return !f.isExternal(); });
}

OwningOpRef<ModuleOp> pruner::splitKernels(ModuleOp module) {
  SmallVector<LLVM::LLVMFuncOp> kernels, rest;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal())
      (isKernel(function) ? kernels : rest).push_back(function);
  if (kernels.empty())
    return {};
  llvm::StringSet<> fromKernels = namedBy(kernels), fromRest = namedBy(rest);
  for (LLVM::LLVMFuncOp function : kernels)
    if (fromRest.contains(function.getName()))
      expose(function);
  for (LLVM::LLVMFuncOp function : rest)
    if (fromKernels.contains(function.getName()))
      expose(function);

  OwningOpRef<ModuleOp> apart(cast<ModuleOp>(module->clone()));
  for (auto function : apart->getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal() && !isKernel(function))
      makeDeclaration(function);
  for (LLVM::LLVMFuncOp function : kernels)
    makeDeclaration(function);
  // One definition of what is visible outside; constants may exist twice.
  for (auto global :
       llvm::make_early_inc_range(apart->getOps<LLVM::GlobalOp>()))
    if (global.getLinkage() == LLVM::Linkage::External)
      global.erase();
  eraseUnused(*apart);
  eraseUnused(module);
  return apart;
}
