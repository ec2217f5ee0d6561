//===- Export.h - functions that the plug-in exports ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_TORCH_EXPORT_H
#define PRUNER_LIB_COSTMODEL_TORCH_EXPORT_H

#include "pruner/CostModel/PluginAbi.h"

#include <cstdio>
#include <exception>
#include <string>

#define PRUNER_EXPORT __attribute__((visibility("default")))

namespace pruner {

/// Returns an error if the loaded LibTorch is not the release that the plug-in
/// was built with.
std::string wrongLibTorch();

/// The body of a PrunerCreateModelFn: returns what `create` returns, and no
/// exception leaves it.
template <typename Create>
CostModel *createGuarded(char *error, std::size_t errorSize, Create create) {
  std::string problem = wrongLibTorch();
  try {
    if (problem.empty())
      return create();
  } catch (const std::exception &exception) {
    problem = exception.what();
  }
  std::snprintf(error, errorSize, "%s", problem.c_str());
  return nullptr;
}

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_EXPORT_H
