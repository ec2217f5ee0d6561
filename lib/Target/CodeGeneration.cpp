//===- CodeGeneration.cpp - LLVM's code generators ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeGeneration.h"

#include "pruner/Support/OptionOverride.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>
#include <optional>

using namespace llvm;

Error pruner::generateCode(Module &module, TargetMachine &machine,
                           raw_pwrite_stream &stream, CodeGenFileType fileType,
                           StrengthReduction reduction) {
  legacy::PassManager passes;
  {
    // LLVM has only an option of the process for that. No thread makes passes
    // while another one has changed it.
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    std::optional<OptionOverride> without;
    if (reduction == StrengthReduction::No)
      without.emplace("disable-lsr", "true");
    if (machine.addPassesToEmitFile(passes, stream, nullptr, fileType))
      return createStringError("LLVM cannot emit this kind of file for '" +
                               machine.getTargetTriple().str() + "'");
  }
  passes.run(module);
  return Error::success();
}
