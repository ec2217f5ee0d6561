//===- EvaluateLatency.h - predicted times judged by datasets ---*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_EVALUATELATENCY_H
#define PRUNER_DATASET_EVALUATELATENCY_H

#include "pruner/Dataset/Evaluate.h"

namespace pruner {

/// How far the seconds that a model predicts are from those measured.
struct LatencyErrors {
  size_t schedules = 0; ///< That did not fail.
  /// |predicted - measured| / measured over the schedules: the mean (MAPE) and
  /// the median, and shares of schedules with at most 10 and 20 %.
  double mean = 0, median = 0, within10 = 0, within20 = 0;
};

/// Of predicted and measured seconds. One that is not finite is wrong by 100 %.
LatencyErrors latencyErrors(llvm::ArrayRef<double> predicted,
                            llvm::ArrayRef<double> measured);

struct LatencyGroup {
  std::string machine;
  std::string name; ///< The kind of operation, the source, or "all".
  size_t tasks = 0;
  std::vector<LatencyErrors> models; ///< In the order of the models.
};

/// By machine, and for each of these by kind of operation and by source
/// (`DatasetOrigin::source`), if there is more than one, and over all. A task
/// of several sources counts for each. Models without seconds are an error.
llvm::Expected<std::vector<LatencyGroup>>
evaluateLatency(const DatasetView &view, llvm::ArrayRef<ScoringModel> models,
                const EvaluationOptions &options);

void printLatency(llvm::ArrayRef<LatencyGroup> groups,
                  llvm::ArrayRef<ScoringModel> models, llvm::raw_ostream &os);
llvm::json::Value toJson(llvm::ArrayRef<LatencyGroup> groups,
                         llvm::ArrayRef<ScoringModel> models);

} // namespace pruner

#endif // PRUNER_DATASET_EVALUATELATENCY_H
