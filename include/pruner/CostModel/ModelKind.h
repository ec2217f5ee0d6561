//===- ModelKind.h - descriptions of the cost models ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that other code must know about a model before it exists: its
// name, options, adaptations, weight files, and how it is created. Each model
// has one object of such a class, in one file of lib/CostModel/Models. One line
// in Models.h there makes it known. Models that need LibTorch or XGBoost are
// described here too, so that a plug-in is loaded only to create a model.

#ifndef PRUNER_COSTMODEL_MODELKIND_H
#define PRUNER_COSTMODEL_MODELKIND_H

#include "pruner/CostModel/Adaptation.h"
#include "pruner/CostModel/WeightFile.h"

#include <memory>
#include <string>
#include <vector>

namespace pruner {

/// A model or an error.
struct CostModelOrError {
  std::unique_ptr<CostModel> model;
  /// Empty if and only if `model` is set. If a plug-in is missing, lists every
  /// path that was tried and how to fix the problem.
  std::string error;
  /// Full sentences about problems that only cost performance, such as a slow
  /// BLAS or kernels for another CPU. Show them once.
  std::vector<std::string> warnings;
};

class ModelKind {
public:
  virtual ~ModelKind() = default;
  virtual std::string name() const = 0;
  /// What it is, as a noun phrase.
  virtual std::string summary() const = 0;
  /// The options with their defaults, in order. Options of adaptations are not
  /// included.
  virtual std::vector<OptionInfo> options() const = 0;
  bool hasOption(const std::string &option) const;

  /// Returns why it lacks what an adaptation needs; empty if it has it.
  virtual std::string lacks(Ability) const { return {}; }
  /// The adaptation that another name of this model stands for. Empty if it is
  /// not a name of this model.
  virtual std::string adaptationOfAlias(const std::string & /*alias*/) const {
    return {};
  }
  /// Whether a file has weights of this model, by its metadata.
  virtual bool owns(const TensorFile &file) const;

  /// Creates a model without weights.
  ///
  /// \p plugin is the plug-in's file. If empty, the loader searches
  /// codeDirectory(), and ../lib and the install library directory relative to
  /// it; never the current directory or a search path. While the plug-in is
  /// opened, OPENBLAS_* variables of the environment change temporarily. Call
  /// this before other threads use the environment.
  virtual CostModelOrError create(const OptionValues &options,
                                  const std::string &plugin = {}) const = 0;
};

/// All models. The first one is the default of a run without weights.
const std::vector<const ModelKind *> &modelKinds();

/// The model of that name, or null with an \p error.
const ModelKind *findModel(const std::string &name, std::string &error);

/// The model of a file, or null with an \p error.
const ModelKind *kindOf(const TensorFile &file, std::string &error);

/// A model with the weights of a file, or an error.
struct LoadedModel : CostModelOrError {
  WeightFile file;
};

/// Creates the model of a file and loads the weights.
LoadedModel loadCostModel(const std::string &path);

/// Creates the model of that name.
CostModelOrError createCostModel(const std::string &name,
                                 const OptionValues &options = {},
                                 const std::string &plugin = {});

} // namespace pruner

#endif // PRUNER_COSTMODEL_MODELKIND_H
