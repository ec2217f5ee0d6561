//===- CrashReporter.h - crash messages of a worker -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_WORKER_CRASHREPORTER_H
#define PRUNER_LIB_WORKER_CRASHREPORTER_H

#include <cstddef>

namespace pruner {

/// Before this process dies of SIGSEGV or SIGBUS, print one line to stderr: the
/// address that could not be accessed, and whether it is on the stack or next
/// to a kernel argument. When operator new or LLVM's allocation functions fail,
/// exit with workerOutOfMemoryExit.
void installCrashReporter();

/// Registers a kernel argument for the crash message. At most 48 are kept;
/// forgetArguments() drops them all.
void reportArgument(const void *data, size_t bytes);
void forgetArguments();

} // namespace pruner

#endif // PRUNER_LIB_WORKER_CRASHREPORTER_H
