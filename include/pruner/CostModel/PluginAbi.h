//===- PluginAbi.h - what loader and plug-in agree on -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LibTorch costs half a second and 200 MB at start-up, so the learned models
// live in a shared library that is opened only when one is asked for. This is
// what both sides agree on. Both are built from one tree, so the interface may
// pass C++ objects; the version guards against a library from another build.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_PLUGINABI_H
#define PRUNER_COSTMODEL_PLUGINABI_H

#include "pruner/CostModel/CostModel.h"

#include <cstddef>
#include <functional>
#include <vector>

/// Raised with every change of CostModel, ProgramFeatures or the functions
/// below.
#define PRUNER_COSTMODEL_PLUGIN_ABI 6

/// A plug-in's file contains this text followed by the words "shared" or
/// "internal" and a semicolon: whether its matrix products come from the
/// system's libblas.so.3 or from a library of its own. The loader has to know
/// before it opens the file, because a BLAS cannot be exchanged afterwards.
#define PRUNER_COSTMODEL_PLUGIN_MARKER "@pruner-cost-model-plugin blas="

namespace pruner {
struct BoostedTrees;

/// Trees that are to be grown by gradients.
struct TreeGrowth {
  /// Rows of `columns` numbers, row-major.
  const std::vector<float> *values = nullptr;
  std::size_t columns = 0;
  /// Trees, and the deepest that one may be.
  int rounds = 0, depth = 0;
  int threads = 1, seed = 0;
  double rate = 0.1;
  /// Sets the first and second derivative of what is minimised by each row's
  /// margin, for the tree of one round. Margins are sums of the trees grown so
  /// far.
  std::function<void(int round, const std::vector<float> &margins,
                     std::vector<float> &gradient, std::vector<float> &hessian)>
      loss;
};
} // namespace pruner

extern "C" {

/// `int prunerCostModelPluginAbi()`: the version the plug-in was built with.
typedef int (*PrunerPluginAbiFn)();

/// `CostModel *prunerCreateCostModel(name, optionsJson, error, errorSize)`: a
/// new model, owned by the caller; or null, with a message in
/// error[0 .. errorSize).
typedef pruner::CostModel *(*PrunerCreateCostModelFn)(const char *name,
                                                      const char *optionsJson,
                                                      char *error,
                                                      std::size_t errorSize);

/// `int prunerGrowTrees(growth, trees, error, errorSize)`: 1 with new trees in
/// `trees`; or 0, with a message in error[0 .. errorSize). A plug-in has this
/// function, or prunerCreateCostModel.
typedef int (*PrunerGrowTreesFn)(const pruner::TreeGrowth *growth,
                                 pruner::BoostedTrees *trees, char *error,
                                 std::size_t errorSize);

/// `void prunerCostModelPluginWarning(text, size)`: what is wrong with the
/// libraries below, as a sentence; empty when nothing is. Optional.
typedef void (*PrunerPluginWarningFn)(char *text, std::size_t size);
}

#endif // PRUNER_COSTMODEL_PLUGINABI_H
