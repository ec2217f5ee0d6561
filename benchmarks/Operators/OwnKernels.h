//===- OwnKernels.h - what Pruner makes of an operation ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BENCHMARKS_OPERATORS_OWNKERNELS_H
#define PRUNER_BENCHMARKS_OPERATORS_OWNKERNELS_H

#include "OperatorData.h"
#include "Process.h"
#include "TuningSession.h"

namespace pruner::bench {

/// An operation, tuned and compiled.
struct OwnKernels {
  std::string failure; ///< Why `tuned` is not there.
  std::string tuned;   ///< File of the library after pruner-apply-best.
  std::string prepare; ///< Of the library that packs its weights, or empty.
  std::string plain;   ///< Of the library of the untuned module; or empty,
  std::string plainFailure; ///< for this reason.
  unsigned trials = 0;
  /// Tasks, and those of them that have a schedule.
  unsigned tasks = 0, applied = 0;
  llvm::json::Array taskFacts;
  /// What limits the tuned task that takes longest, by the analytical model.
  std::string limit;
  /// The tuned tasks alone, one after the other on operands of their own:
  /// what is left of the time without the calls and operations between them.
  /// Null if a task has no schedule.
  std::function<void()> kernels;
};

/// Tunes `op` if the database has too few trials, and compiles it with its best
/// records and without any, into files of `directory`. With an empty database
/// name only the untuned library is made. Call it before this process is bound
/// to a CPU.
OwnKernels makeOwnKernels(TuningSession &session, const Operator &op,
                          Weights weights, const TuneCommand &command,
                          const TemporaryDirectory &directory);

/// Those of them that can run: "pruner", "kernels", "default". `data` and
/// `kernels` must outlive them.
std::vector<Contender> ownContenders(const OwnKernels &kernels,
                                     OperatorData &data);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_OPERATORS_OWNKERNELS_H
