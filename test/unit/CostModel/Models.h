//===- Models.h - models and their files for tests --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_COSTMODEL_MODELS_H
#define PRUNER_TEST_UNIT_COSTMODEL_MODELS_H

#include "pruner/CostModel/ModelKind.h"
#include "pruner/CostModel/WeightFile.h"

namespace pruner_test {

/// Creates a model with options as JSON.
inline pruner::CostModelOrError createModel(const std::string &name,
                                            const std::string &json = "{}",
                                            const std::string &plugin = "") {
  pruner::OptionValues options;
  std::string error = pruner::parseOptions(json, options);
  if (!error.empty())
    return {nullptr, error, {}};
  return pruner::createCostModel(name, options, plugin);
}

/// Reads the tensors of a weight file.
inline std::string readTensors(const std::string &path,
                               pruner::TensorFile &tensors) {
  pruner::WeightFile file;
  std::string error = pruner::readWeights(path, file);
  if (error.empty())
    tensors = file;
  return error;
}

/// The name of the model that a weight file belongs to.
inline std::string modelOfWeights(const std::string &path) {
  pruner::TensorFile tensors;
  std::string error = readTensors(path, tensors);
  const pruner::ModelKind *kind =
      error.empty() ? pruner::kindOf(tensors, error) : nullptr;
  return kind ? kind->name() : error;
}

} // namespace pruner_test

#endif // PRUNER_TEST_UNIT_COSTMODEL_MODELS_H
