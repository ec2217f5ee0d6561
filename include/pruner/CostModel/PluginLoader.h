//===- PluginLoader.h - creation of cost models by name ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates cost models by name. "random" and "linear" are built in, "xgboost" is
// in the plug-in libPrunerXgboost.so, and all others are in libPrunerTorch.so.
// A plug-in is opened once per process, on first use.

#ifndef PRUNER_COSTMODEL_PLUGINLOADER_H
#define PRUNER_COSTMODEL_PLUGINLOADER_H

#include "pruner/CostModel/CostModel.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// A model or an error.
struct CostModelOrError {
  std::unique_ptr<CostModel> model;
  /// Empty if and only if `model` is set. Lists every path that was tried and
  /// how to fix the problem.
  std::string error;
  /// Full sentences about problems that only cost performance, such as a slow
  /// BLAS or kernels for another CPU. Show them once.
  std::vector<std::string> warnings;
};

/// Creates a model.
///
/// \p name is "random", "linear", "xgboost", or a model of LibTorch's plug-in:
/// "pacm", "tensetmlp", "tlp", "cdmpp".
///
/// \p optionsJson is a JSON object whose members depend on the model. "linear"
/// takes {"ridge": number}, "random" takes {"seed": integer}. Unknown options
/// are errors. For the others see lib/CostModel/Torch/Options.h and
/// lib/CostModel/XgboostModel.h.
///
/// \p pluginPath is the plug-in's file. If empty, the loader searches
/// codeDirectory(), and ../lib and the install library directory relative to
/// it; never the current directory or a search path. Without its plug-in
/// "xgboost" is created too, but it cannot train (CostModel::cannotLearn).
///
/// While the plug-in is opened, OPENBLAS_* variables of the environment change
/// temporarily. Call this before other threads use the environment.
CostModelOrError createCostModel(const std::string &name,
                                 const std::string &optionsJson = "{}",
                                 const std::string &pluginPath = "");

/// The candidate paths of pretrained weights for a kind of device ("cpu",
/// "gpu"), in order, in the build or installation that contains this code. The
/// current directory and search paths are not searched.
std::vector<std::string> pretrainedWeights(const std::string &kind);

/// Returns the name of the model that a weight file belongs to, as
/// createCostModel() expects it. Sets \p error on failure and clears it
/// otherwise.
std::string modelOfWeights(const std::string &path, std::string &error);

/// The real directory of the executable or shared library that contains this
/// code, independent of how it was started or opened. Nothing if the file was
/// removed or replaced, or if /proc is not available. Files that belong to the
/// code are searched only relative to this directory.
std::optional<std::string> codeDirectory();

/// Why codeDirectory() returned nothing, as the end of a diagnostic.
inline constexpr const char *kNoCodeDirectory =
    "the directory of this program is not known (its file was replaced or "
    "removed since it was started, or /proc is not mounted)";

/// The files that createCostModel() tries for a model and an empty path, in
/// order.
std::vector<std::string> costModelPluginCandidates(const std::string &model);

} // namespace pruner

#endif // PRUNER_COSTMODEL_PLUGINLOADER_H
