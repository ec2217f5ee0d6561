//===- Linker.cpp - the wheel's ld.lld ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lld/Common/Driver.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

int main(int argc, char **argv) {
  llvm::ArrayRef<const char *> arguments(argv, argc);
  return lld::lldMain(arguments, llvm::outs(), llvm::errs(),
                      {{lld::Gnu, &lld::elf::link}})
      .retCode;
}

/// Debian's LTO library expects the archives of Polly. Nothing is compiled by
/// this linker, so an empty plug-in replaces Polly. Unused elsewhere.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "none", "", [](llvm::PassBuilder &) {}};
}
