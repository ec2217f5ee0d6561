//===- PluginLoader.h - cost models by name ---------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Models by name: "random" and "linear" are built in; "xgboost" is asked of the
// plug-in libPrunerXgboost.so, every other name of libPrunerTorch.so. Each is
// opened (once per process) at the first such request.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_PLUGINLOADER_H
#define PRUNER_COSTMODEL_PLUGINLOADER_H

#include "pruner/CostModel/CostModel.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// A model, or why there is none.
struct CostModelOrError {
  std::unique_ptr<CostModel> model;
  /// Empty if and only if `model` is set. States every path that was tried and
  /// what to do.
  std::string error;
  /// Things that work but not as well as they could, in whole sentences (a
  /// slow BLAS, kernels for another CPU). To be shown once.
  std::vector<std::string> warnings;
};

/// Creates a model.
///
/// \p name "random", "linear", "xgboost", or a model of LibTorch's plug-in:
///    "pacm", "tensetmlp", "tlp", "cdmpp".
/// \p optionsJson a JSON object; what is allowed depends on the model. "linear"
///    takes {"ridge": number}, "random" {"seed": integer}. Unknown options are
///    errors. For the others see lib/CostModel/Torch/Options.h and
///    lib/CostModel/XgboostModel.h.
/// \p pluginPath the plug-in's file. When empty it is looked for in
///    codeDirectory(), and in ../lib and the install library directory relative
///    to it; never in the current directory or along a search path. "xgboost"
///    is made without its plug-in, too, but then cannot learn
///    (CostModel::cannotLearn).
///
/// Opening the plug-in changes OPENBLAS_* in the environment for the duration
/// of the call (and restores it): call it before other threads use the
/// environment.
CostModelOrError createCostModel(const std::string &name,
                                 const std::string &optionsJson = "{}",
                                 const std::string &pluginPath = "");

/// The files that pretrained weights for a kind of device ("cpu", "gpu") may
/// be, in order: in the build or installation that the code is of. None is
/// looked for in the current directory or along a search path.
std::vector<std::string> pretrainedWeights(const std::string &kind);

/// The model that a file of weights is of, by the name that createCostModel()
/// knows; in \p error why there is none, else empty.
std::string modelOfWeights(const std::string &path, std::string &error);

/// The real directory of the executable or shared library that this code is
/// linked into, whatever name that was started or opened by and from where.
/// Nothing if the file was removed or replaced since, or without /proc. What
/// belongs to the code stands beside it, and is looked for nowhere else.
std::optional<std::string> codeDirectory();

/// Why codeDirectory() returned nothing, for the end of a diagnostic.
inline constexpr const char *kNoCodeDirectory =
    "the directory of this program is not known (its file was replaced or "
    "removed since it was started, or /proc is not mounted)";

/// The files createCostModel() would try for that model and an empty path, in
/// order.
std::vector<std::string> costModelPluginCandidates(const std::string &model);

} // namespace pruner

#endif // PRUNER_COSTMODEL_PLUGINLOADER_H
