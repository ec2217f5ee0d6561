//===- FuzzObjects.cpp - facts of machine code -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/ObjectFacts.h"

#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace pruner;

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllDisassemblers();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto facts = readObjectFacts(
      llvm::ArrayRef<char>(reinterpret_cast<const char *>(data), size));
  if (!facts) {
    llvm::consumeError(facts.takeError());
    return 0;
  }
  for (const FunctionFacts &function : facts->functions) {
    if (!facts->find(function.name))
      std::abort();
    if (function.hotLoop &&
        function.hotLoop->code.packedFmas() > function.code.packedFmas())
      std::abort();
  }
  std::string text;
  llvm::raw_string_ostream(text) << toJSON(*facts);
  return 0;
}
