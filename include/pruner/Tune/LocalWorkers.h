//===- LocalWorkers.h - workers on this machine -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_LOCALWORKERS_H
#define PRUNER_TUNE_LOCALWORKERS_H

#include "pruner/Measure/WorkerPool.h"
#include "pruner/Tune/TuneTask.h"

namespace pruner {

/// The worker at the path `program`, or if that is empty the one that belongs
/// to this code: beside it, or in ../bin of a library. Fails where there is
/// none, and for names that would have to be looked for along PATH.
llvm::Expected<WorkerCommand> localWorker(llvm::StringRef program);

/// What a builder behind a command calls itself when it greets; empty if that
/// is this code generator. Another build of Pruner is an error.
llvm::Expected<std::string> nameOfBuilder(WorkerCommand builder,
                                          const Environment &environment);

/// Whether a runner behind a command says that it measures on the machine of
/// that environment; an error if there is none.
llvm::Expected<bool> saysItIsThere(WorkerCommand runner,
                                   const Environment &environment);

/// Builders and runners for that environment, which may be behind commands.
/// They stop when the tuner is interrupted.
WorkerPoolOptions poolOptions(const Environment &environment,
                              WorkerCommand builder, WorkerCommand runner);

} // namespace pruner

#endif // PRUNER_TUNE_LOCALWORKERS_H
