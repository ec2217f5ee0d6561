//===- CrashReporter.h - last words of a worker -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_WORKER_CRASHREPORTER_H
#define PRUNER_WORKER_CRASHREPORTER_H

#include <cstddef>

namespace pruner {

/// Makes this process say on stderr, in one line, which address it could not
/// access before it dies of SIGSEGV or SIGBUS, and whether that is its stack or
/// the surroundings of a kernel argument; and exit with workerOutOfMemoryExit
/// when operator new or LLVM's allocation functions fail.
void installCrashReporter();

/// Names a kernel argument for the report. At most 48 are kept;
/// forgetArguments() drops them all.
void reportArgument(const void *data, size_t bytes);
void forgetArguments();

} // namespace pruner

#endif // PRUNER_WORKER_CRASHREPORTER_H
