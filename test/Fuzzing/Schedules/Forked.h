//===- Forked.h - utilities for forked children -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_SCHEDULES_FORKED_H
#define PRUNER_FUZZING_SCHEDULES_FORKED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <csignal>
#include <optional>

namespace pruner {

/// During its lifetime, the first SIGINT or SIGTERM sets `flag`; a second one
/// ends the process. Only one may exist at a time.
class StopOnSignals {
public:
  explicit StopOnSignals(volatile sig_atomic_t &flag);
  ~StopOnSignals();
  StopOnSignals(const StopOnSignals &) = delete;
  StopOnSignals &operator=(const StopOnSignals &) = delete;

private:
  struct sigaction before[2];
};

/// Runs `work` in a child process, which then exits with 0. Returns the status
/// of the child as reported by waitpid; std::nullopt, with errno, if it cannot
/// be started. Flush buffered output before, or both processes write it.
std::optional<int> runForked(llvm::function_ref<void()> work);

/// The name of the signal that ended a process, or "unexpected exit".
const char *describeEnd(int status);

/// Ends the process after `seconds` of processor time, or after ten times as
/// many of wall-clock time, because other load must not make a case hang.
void limitTime(unsigned seconds);

/// Copies `from` into a field of shared memory, cut to its size, with a
/// terminating zero.
void copyText(llvm::MutableArrayRef<char> to, llvm::StringRef from);

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_FORKED_H
