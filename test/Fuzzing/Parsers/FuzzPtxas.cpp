//===- FuzzPtxas.cpp - reports of an assembler -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/Ptxas.h"

#include <cstdint>
#include <cstdlib>

using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  // Every kernel in the result is named in the report.
  for (const KernelResources &kernel : parsePtxasReport(text))
    if (!text.contains(kernel.name))
      std::abort();
  return 0;
}
