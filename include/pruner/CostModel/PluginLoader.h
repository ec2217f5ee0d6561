//===- PluginLoader.h - plug-ins and files next to the code -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that belong to a build or an installation: the plug-ins of cost models
// and the shipped weights.

#ifndef PRUNER_COSTMODEL_PLUGINLOADER_H
#define PRUNER_COSTMODEL_PLUGINLOADER_H

#include <string>
#include <vector>

namespace pruner {

/// The candidate paths of pretrained weights for a kind of device ("cpu",
/// "gpu"), in order, in the build or installation that contains this code. The
/// current directory and search paths are not searched.
std::vector<std::string> pretrainedWeights(const std::string &kind);

/// The paths of a plug-in with this file name that are tried if no other is
/// given, in order.
std::vector<std::string> costModelPluginCandidates(const std::string &file);

/// States that the Python package `torch` in this directory may be imported
/// into the process later. Learned models then use its LibTorch and no other.
/// An empty path states that no such package can be imported.
void setTorchPackage(const std::string &directory);

/// Why the package `torch` in this directory must not be imported: a learned
/// model has opened another LibTorch. Empty if it may be imported.
std::string torchConflict(const std::string &directory);

} // namespace pruner

#endif // PRUNER_COSTMODEL_PLUGINLOADER_H
