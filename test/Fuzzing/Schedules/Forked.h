//===- Forked.h - what forked children share --------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_FUZZING_SCHEDULES_FORKED_H
#define PRUNER_FUZZING_SCHEDULES_FORKED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <csignal>
#include <optional>

namespace pruner {

/// While it lives, the first SIGINT or SIGTERM sets `flag`; a second one ends
/// the process. One at a time.
class StopOnSignals {
public:
  explicit StopOnSignals(volatile sig_atomic_t &flag);
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals &) = delete;
  StopOnSignals &operator=(const StopOnSignals &) = delete;

private:
  struct sigaction before[2];
};

/// Runs `work` in a child process, which exits with 0 after it, and returns how
/// it ended, as waitpid says it; nothing, with errno, where none can be
/// started. What is buffered and not flushed before is written by both.
std::optional<int> runForked(llvm::function_ref<void()> work);

/// The name of the signal that ended a process, or "unexpected exit".
const char *describeEnd(int status);

/// Ends the process `seconds` of processor time from now, or ten times as many
/// by the clock: other work on the machine must not make a case hang.
void limitTime(unsigned seconds);

/// Copies `from` into a field of memory that processes share, cut to its size,
/// with a zero behind it.
void copyText(llvm::MutableArrayRef<char> to, llvm::StringRef from);

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_FORKED_H
