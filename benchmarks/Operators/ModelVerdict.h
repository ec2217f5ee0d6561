//===- ModelVerdict.h - what holds a schedule back --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_OPERATORS_MODELVERDICT_H
#define PRUNER_BENCHMARKS_OPERATORS_MODELVERDICT_H

#include "pruner/Tune/TuneTask.h"

#include "llvm/Support/JSON.h"

namespace pruner::bench {

/// What the analytical model says of a task under a schedule.
struct ModelVerdict {
  double seconds = 0; ///< Predicted.
  /// The statement that takes longest, and what limits it.
  std::string limit;
  llvm::json::Value report = nullptr; ///< All of it, see pruner-psa.
};

/// An error if `schedule` does not parse.
llvm::Expected<ModelVerdict> explainSchedule(mlir::MLIRContext &context,
                                             const Environment &environment,
                                             const TuneTask &task,
                                             llvm::StringRef schedule);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_MODELVERDICT_H
