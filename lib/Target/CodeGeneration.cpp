//===- CodeGeneration.cpp - LLVM's code generators ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeGeneration.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>
#include <optional>

using namespace llvm;

namespace {
/// During its lifetime, pass managers are made without loop strength reduction.
/// LLVM has only an option of the process for that. A choice of the user, on
/// the command line, stays.
class NoStrengthReduction {
public:
  NoStrengthReduction() {
    auto &options = cl::getRegisteredOptions();
    auto found = options.find("disable-lsr");
    if (found == options.end() || found->second->getNumOccurrences() > 0)
      return;
    option = found->second;
    option->addOccurrence(0, "disable-lsr", "true");
  }
  ~NoStrengthReduction() {
    if (option)
      option->reset();
  }

private:
  cl::Option *option = nullptr;
};
} // namespace

Error pruner::generateCode(Module &module, TargetMachine &machine,
                           raw_pwrite_stream &stream, CodeGenFileType fileType,
                           StrengthReduction reduction) {
  legacy::PassManager passes;
  {
    // No thread makes passes while another one has changed the option.
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    std::optional<NoStrengthReduction> without;
    if (reduction == StrengthReduction::No)
      without.emplace();
    if (machine.addPassesToEmitFile(passes, stream, nullptr, fileType))
      return createStringError("LLVM cannot emit this kind of file for '" +
                               machine.getTargetTriple().str() + "'");
  }
  passes.run(module);
  return Error::success();
}
