//===- FuzzSafetensors.cpp - weight files ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Safetensors.h"

#include <cstdint>
#include <cstdlib>

using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string content(reinterpret_cast<const char *>(data), size);
  TensorFile file;
  if (!parseSafetensors(content, file).empty())
    return 0;
  std::string error;
  std::string again = formatSafetensors(file, error);
  TensorFile second;
  if (!error.empty() || !parseSafetensors(again, second).empty() ||
      second.tensors.size() != file.tensors.size())
    std::abort();
  return 0;
}
