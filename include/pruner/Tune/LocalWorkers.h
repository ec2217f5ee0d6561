//===- LocalWorkers.h - workers on this machine -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TUNE_LOCALWORKERS_H
#define PRUNER_TUNE_LOCALWORKERS_H

#include "pruner/Measure/WorkerPool.h"
#include "pruner/ModuleTasks/ModuleTask.h"

namespace pruner {

/// Returns the worker at the path `program`. If the path is empty, returns the
/// worker next to this code, or in ../bin of a library. Fails if there is no
/// worker, and for names that would need a search in PATH.
llvm::Expected<WorkerCommand> localWorker(llvm::StringRef program);

/// Returns the name of the code generator in the greeting of a builder that is
/// a command; empty if it is this code generator. Another build of Pruner is an
/// error.
llvm::Expected<std::string> queryBuilderName(WorkerCommand builder,
                                             const Environment &environment);

/// Returns true if the greeting of a runner that is a command names the machine
/// of `environment`. Fails if the runner does not answer.
llvm::Expected<bool> isOnMachine(WorkerCommand runner,
                                 const Environment &environment);

/// Returns the options of builders and runners for `environment`; both may be
/// commands. They stop when the tuner is interrupted.
WorkerPoolOptions poolOptions(const Environment &environment,
                              WorkerCommand builder, WorkerCommand runner);

} // namespace pruner

#endif // PRUNER_TUNE_LOCALWORKERS_H
