//===- WeightFile.h - files with the weights of models ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of weights is read once. The same object then determines the model
// (kindOf), provides its weights, and identifies them.

#ifndef PRUNER_COSTMODEL_WEIGHTFILE_H
#define PRUNER_COSTMODEL_WEIGHTFILE_H

#include "pruner/CostModel/CostModel.h"

#include <string>

namespace pruner {

/// A file that was read.
struct WeightFile : TensorFile {
  std::string path;
  /// Hash of the bytes (Support/Hashing.h).
  std::string hash;
};

/// Reads a file. Returns an empty string, or an error that starts with the
/// path; \p file is then unchanged.
std::string readWeights(const std::string &path, WeightFile &file);

/// Gives a model the weights of a file. Returns an empty string, or an error
/// that starts with the path; the model is then unchanged.
std::string loadWeights(CostModel &model, const WeightFile &file);

/// The same for a file that has not been read.
std::string loadWeights(CostModel &model, const std::string &path);

/// Writes the weights of a model, with free facts about their \p origin.
/// Returns an empty string, or an error that starts with the path.
std::string saveWeights(const CostModel &model, const std::string &path,
                        const Metadata &origin = {});

} // namespace pruner

#endif // PRUNER_COSTMODEL_WEIGHTFILE_H
