//===- ShippedWeights.cpp - weights of a build or installation ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/ShippedWeights.h"
#include "pruner/CostModel/PluginLoader.h"
#include "pruner/Support/CodeDirectory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace pruner;

ShippedWeights pruner::shippedWeights(const std::string &kind,
                                      const std::string &machine) {
  ShippedWeights result;
  std::string tried;
  for (const std::string &path : pretrainedWeights(kind)) {
    if (!llvm::sys::fs::exists(path)) {
      tried += (tried.empty() ? "'" : ", '") + path + "'";
      continue;
    }
    WeightFile file;
    result.error = readWeights(path, file);
    bool fits =
        machine.empty() ||
        llvm::is_contained(llvm::split(file.metadata["trained.machines"], ", "),
                           machine);
    if (result.error.empty() && fits)
      result.file = std::move(file);
    return result;
  }
  result.missing = true;
  result.error =
      tried.empty() ? std::string(kNoCodeDirectory) : "tried " + tried;
  return result;
}
