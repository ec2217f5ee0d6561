//===- Plugin.cpp - C interface of the LibTorch plug-in -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Blas.h"
#include "Export.h"

#include <cstdint>
#include <string>

using namespace pruner;

#ifndef PRUNER_TORCH_BLAS
#error "CMake says whether LibTorch's BLAS is shared or internal"
#endif
#ifndef PRUNER_TORCH_VERSION
#error "CMake says which LibTorch this is built with"
#endif

/// The version of the loaded LibTorch, with major, minor and patch in the upper
/// bytes; available since 2.8.
extern "C" __attribute__((weak)) uint64_t aoti_torch_abi_version();

// Classes differ between releases, and symbols do not always reveal it.
std::string pruner::wrongLibTorch() {
  if (!aoti_torch_abi_version)
    return {};
  uint64_t version = aoti_torch_abi_version();
  std::string loaded = std::to_string(version >> 56) + "." +
                       std::to_string((version >> 48) & 0xff);
  if (loaded == PRUNER_TORCH_VERSION)
    return {};
  return "the plug-in was built with LibTorch " PRUNER_TORCH_VERSION
         ", but LibTorch " +
         loaded + " was loaded";
}

extern "C" {

/// The loader reads this text before it opens the file; see PluginAbi.h.
PRUNER_EXPORT extern const char prunerCostModelPluginMarker[];
__attribute__((used)) const char prunerCostModelPluginMarker[] =
    PRUNER_COSTMODEL_PLUGIN_MARKER PRUNER_TORCH_BLAS
    ";torch=" PRUNER_TORCH_RELEASE ";";

PRUNER_EXPORT int prunerCostModelPluginAbi() {
  return PRUNER_COSTMODEL_PLUGIN_ABI;
}

PRUNER_EXPORT void prunerCostModelPluginWarning(char *text, std::size_t size) {
  std::snprintf(text, size, "%s", blasWarning().c_str());
}
}
