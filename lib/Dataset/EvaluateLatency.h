//===- EvaluateLatency.h - evaluation of predicted times --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DATASET_EVALUATELATENCY_H
#define PRUNER_LIB_DATASET_EVALUATELATENCY_H

#include "pruner/Dataset/Evaluate.h"

namespace pruner {

/// Errors of predicted times.
struct LatencyErrors {
  size_t schedules = 0; ///< Successful schedules.
  /// predicted - measured| / measured over the schedules: the mean (MAPE), the
  /// median, and the shares of schedules with at most 10 % and 20 %.
  double mean = 0, median = 0, within10 = 0, within20 = 0;
};

/// Compares predicted and measured seconds. A prediction that is not finite
/// counts as an error of 100 %.
LatencyErrors latencyErrors(llvm::ArrayRef<double> predicted,
                            llvm::ArrayRef<double> measured);

struct LatencyGroup {
  std::string machine;
  std::string name; ///< The kind of operation, the source, or "all".
  size_t tasks = 0;
  std::vector<LatencyErrors> models; ///< In the order of the models.
};

/// One group per machine, and within it one per kind of operation, one per
/// source (`DatasetOrigin::source`) if there are several, and one for all. A
/// task of several sources counts for each. Fails for models that do not
/// predict times.
llvm::Expected<std::vector<LatencyGroup>>
evaluateLatency(const DatasetView &view, llvm::ArrayRef<ScoringModel> models,
                const EvaluationOptions &options);

void printLatency(llvm::ArrayRef<LatencyGroup> groups,
                  llvm::ArrayRef<ScoringModel> models, llvm::raw_ostream &os);
llvm::json::Value toJson(llvm::ArrayRef<LatencyGroup> groups,
                         llvm::ArrayRef<ScoringModel> models);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_EVALUATELATENCY_H
