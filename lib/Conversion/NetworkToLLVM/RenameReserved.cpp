//===- RenameReserved.cpp - rename functions with reserved names ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

namespace pruner {
#define GEN_PASS_DEF_RENAMERESERVEDPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

static constexpr llvm::StringLiteral kPrefix = "network.";

/// True if the library of a network defines or calls, or LLVM may call, another
/// function of this name: the interface, its runtime library and the callees of
/// that, or functions that LLVM treats as those of the C library.
static bool isReserved(StringRef name) {
  if (name.empty())
    return true; // LLVM gives such a symbol a number instead.
  for (StringRef prefix :
       {StringRef("pruner_"), StringRef("llvm."), StringRef("_"),
        StringRef("pthread_"), StringRef("sched_"), StringRef("omp_"),
        StringRef("memrefCopy")})
    if (name.starts_with(prefix))
      return true;
  for (StringRef used : {"clock_gettime", "dlerror", "dlopen", "dlsym", "erfc",
                         "erfcf", "getpid", "sigaddset", "sigdelset",
                         "sigemptyset", "sigfillset", "stderr", "syscall"})
    if (name == used)
      return true;
  static const llvm::TargetLibraryInfoImpl library(
      llvm::Triple("x86_64-unknown-linux-gnu"));
  llvm::LibFunc function;
  return library.getLibFunc(name, function);
}

namespace {
struct RenameReservedPass
    : public pruner::impl::RenameReservedPassBase<RenameReservedPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<Operation *> reserved;
    for (auto symbol : module.getOps<SymbolOpInterface>())
      if (!symbol.isDeclaration() && isReserved(symbol.getName()))
        reserved.push_back(symbol);
    for (Operation *op : reserved) {
      StringAttr old = SymbolTable::getSymbolName(op);
      std::string name =
          (kPrefix + (old.empty() ? "unnamed" : old.getValue())).str();
      while (symbols.lookup(name))
        name += "_";
      if (failed(symbols.rename(op, name))) {
        op->emitError("@") << old.getValue()
                           << " has a name that is reserved for libraries of "
                              "networks, and cannot be renamed";
        return signalPassFailure();
      }
      noteEntry(module, old, name);
      ++numRenamed;
    }
  }

  /// Records the original name of the network.
  void noteEntry(ModuleOp module, StringAttr old, StringRef name) {
    auto interface = module->getAttrOfType<DictionaryAttr>("pruner.interface");
    if (!interface || interface.get("entry") != old)
      return;
    NamedAttrList described(interface);
    described.set("entry", StringAttr::get(&getContext(), name));
    described.set("name", old);
    module->setAttr("pruner.interface", described.getDictionary(&getContext()));
  }
};
} // namespace
