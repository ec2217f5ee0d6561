//===- ShippedWeights.h - weights of a build or installation ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_SHIPPEDWEIGHTS_H
#define PRUNER_COSTMODEL_SHIPPEDWEIGHTS_H

#include "pruner/CostModel/WeightFile.h"

#include <optional>
#include <string>

namespace pruner {

struct ShippedWeights {
  /// Empty if there is no readable file, or it was trained on other machines.
  std::optional<WeightFile> file;
  /// Why the file cannot be read, or which paths were tried in vain. Empty if
  /// it was trained on other machines.
  std::string error;
  bool missing = false; ///< There is no such file; the error has the paths.
};

/// The shipped weights of a kind: "cpu" and "gpu" rank schedules, "gpu-latency"
/// predicts seconds. With the name of a `machine`, only if they were trained on
/// it.
ShippedWeights shippedWeights(const std::string &kind,
                              const std::string &machine = {});

} // namespace pruner

#endif // PRUNER_COSTMODEL_SHIPPEDWEIGHTS_H
