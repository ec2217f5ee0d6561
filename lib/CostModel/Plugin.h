//===- Plugin.h - plug-ins that are open ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_PLUGIN_H
#define PRUNER_LIB_COSTMODEL_PLUGIN_H

#include "pruner/CostModel/PluginAbi.h"

#include <string>
#include <vector>

namespace pruner {

/// A kind of plug-in: the name of its file, and the option of CMake that builds
/// it.
struct PluginKind {
  const char *file, *option;
  bool needsLibTorch;
};
inline constexpr PluginKind kTorchPlugin = {"libPrunerTorch.so",
                                            "PRUNER_ENABLE_TORCH", true};
inline constexpr PluginKind kXgboostPlugin = {"libPrunerXgboost.so",
                                              "PRUNER_ENABLE_XGBOOST", false};

/// The facts in the file of a plug-in (PluginAbi.h); empty if it is not a
/// plug-in.
struct PluginMarker {
  std::string blas;  ///< "shared" or "internal".
  std::string torch; ///< LibTorch::release().
};
PluginMarker readPluginMarker(const std::string &path);

/// An open plug-in. It is never closed, because LibTorch cannot be unloaded.
struct Plugin {
  std::string file, path;
  void *library = nullptr;
  std::vector<std::string> warnings;

  /// The function of that name, or null with an \p error.
  template <typename Function>
  Function *function(const char *name, std::string &error) const {
    return reinterpret_cast<Function *>(symbol(name, error));
  }

private:
  void *symbol(const char *name, std::string &error) const;
};

/// Opens a plug-in, at most once per process, from \p path or the default
/// locations. That of LibTorch must fit the LibTorch of the process
/// (LibTorch.h). Returns an empty string or an error.
std::string openPlugin(const PluginKind &kind, const std::string &path,
                       int threads, Plugin &plugin);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_PLUGIN_H
