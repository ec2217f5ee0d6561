//===- PluginAbi.h - interface between loader and plug-in -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The learned models are in a shared library that is opened on demand, because
// LibTorch takes half a second and 200 MB to load. This file defines the
// interface. Loader and plug-in are built from one tree, so the interface may
// pass C++ objects. The version rejects libraries of another build.

#ifndef PRUNER_COSTMODEL_PLUGINABI_H
#define PRUNER_COSTMODEL_PLUGINABI_H

#include "pruner/CostModel/CostModel.h"

#include <cstddef>
#include <functional>
#include <vector>

/// Increase this with every change of CostModel, ProgramFeatures, the options
/// of a model or the functions below.
#define PRUNER_COSTMODEL_PLUGIN_ABI 9

/// A plug-in's file contains this text followed by "shared" or "internal" and a
/// semicolon: whether its matrix products use the system's libblas.so.3 or a
/// library of its own. In a plug-in for LibTorch, "torch=", a release such as
/// "2.15" or "1.13+system" and another semicolon follow. The loader reads both
/// before it opens the file, because neither a BLAS nor a LibTorch can be
/// replaced afterwards.
#define PRUNER_COSTMODEL_PLUGIN_MARKER "@pruner-cost-model-plugin blas="

namespace pruner {
struct BoostedTrees;

/// A request to train trees by gradient boosting.
struct TreeGrowth {
  /// Rows of `columns` numbers, row-major.
  const std::vector<float> *values = nullptr;
  std::size_t columns = 0;
  /// The number of trees and their maximum depth.
  int rounds = 0, depth = 0;
  int threads = 1, seed = 0;
  double rate = 0.1;
  /// Sets the first and second derivative of the loss by each row's margin, for
  /// the tree of one round. Margins are sums of the trees so far.
  std::function<void(int round, const std::vector<float> &margins,
                     std::vector<float> &gradient, std::vector<float> &hessian)>
      loss;
};

/// Creates the model of a plug-in, which the caller owns; or returns null with
/// a message in error[0 .. errorSize). A plug-in has such a function for each
/// of its models.
template <typename Options>
using PrunerCreateModelFn = CostModel *(const Options &options, char *error,
                                        std::size_t errorSize);
} // namespace pruner

extern "C" {

/// `int prunerCostModelPluginAbi()` returns the version that the plug-in was
/// built with.
typedef int PrunerPluginAbiFn();

/// `int prunerGrowTrees(growth, trees, error, errorSize)` returns 1 and sets
/// `trees`, or returns 0 with a message in error[0 .. errorSize).
typedef int PrunerGrowTreesFn(const pruner::TreeGrowth *growth,
                              pruner::BoostedTrees *trees, char *error,
                              std::size_t errorSize);

/// `void prunerCostModelPluginWarning(text, size)` writes a sentence about a
/// problem of the loaded libraries, or an empty string. Optional.
typedef void PrunerPluginWarningFn(char *text, std::size_t size);
}

#endif // PRUNER_COSTMODEL_PLUGINABI_H
