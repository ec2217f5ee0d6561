//===- Worker.h - the worker's side of the protocol -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_WORKER_WORKER_H
#define PRUNER_WORKER_WORKER_H

#include "pruner/Measure/FaultInjection.h"
#include <string>

namespace pruner {

/// A quarter of the machine's memory, between 256 MiB and 4 GiB.
size_t defaultReferenceBytes();

struct WorkerOptions {
  /// Directory in which references are stored for later workers; empty for
  /// none.
  std::string cacheDir;
  /// Maximum bytes of references that are kept in memory, in addition to the
  /// last one.
  size_t referenceBytes = defaultReferenceBytes();
  FaultPlan faults;
};

/// Answers requests on `inputFd` until `quit` or the end of input. Writes one
/// reply to `replyFd` for every line, also for malformed ones. Returns the exit
/// code.
int serveRequests(const WorkerOptions &options, int inputFd, int replyFd);

/// The `pruner-worker` tool: serveRequests on stdin and stdout. Stdout itself
/// is redirected to stderr, so that code under test cannot print into the
/// protocol.
int workerMain(const WorkerOptions &options);

} // namespace pruner

#endif // PRUNER_WORKER_WORKER_H
