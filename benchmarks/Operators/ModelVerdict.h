//===- ModelVerdict.h - the limit of a schedule -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_OPERATORS_MODELVERDICT_H
#define PRUNER_BENCHMARKS_OPERATORS_MODELVERDICT_H

#include "pruner/ModuleTasks/ModuleTask.h"

#include "llvm/Support/JSON.h"

namespace pruner::bench {

/// The analytical model's report on a task under a schedule.
struct ModelVerdict {
  double seconds = 0; ///< Predicted.
  /// The slowest statement and its limit.
  std::string limit;
  llvm::json::Value report = nullptr; ///< The full report; see pruner-psa.
};

/// Fails if `schedule` is invalid.
llvm::Expected<ModelVerdict> explainSchedule(mlir::MLIRContext &context,
                                             const Environment &environment,
                                             const ModuleTask &task,
                                             llvm::StringRef schedule);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_MODELVERDICT_H
