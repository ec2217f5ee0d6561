//===- Guard.h - ends all processes that a child started --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that is killed cannot clean up. A small process, the guard,
// therefore runs between it and each child. The guard adopts every process that
// its child starts, even in other process groups and sessions. It kills all of
// them when the child ends, when it receives SIGTERM, and when the process that
// started it dies.
//
// A guard can be killed as well. Everything below it therefore carries a mark
// in its environment that names the owner. A later process kills every process
// whose mark names a dead owner.

#ifndef PRUNER_SUPPORT_GUARD_H
#define PRUNER_SUPPORT_GUARD_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace pruner {

/// Splits this process in two. The call returns in a child; the process itself
/// becomes the guard of that child and never returns. The guard ends like the
/// child, with the same exit code or signal. Call this before any thread is
/// started, in a process started by a Subprocess with `guarded`.
void becomeGuarded();

/// Waits until the writer of stdin is gone, removes `directory`, and returns.
/// Prints "ready" to stdout as soon as only SIGKILL can prevent the removal.
void keepUntilOwnerDies(const std::string &directory);

/// The environment variable that holds the mark, and the mark of child number
/// `instance` of this process. A mark is unique among all processes since the
/// system started, and among the children of a process.
inline constexpr llvm::StringLiteral ownerVariable = "PRUNER_OWNER";
std::string ownerMark(unsigned instance);

/// Kills every process of this user whose mark is `mark`. Returns how many
/// there were.
unsigned killMarked(llvm::StringRef mark);

/// Kills every process of this user whose mark names a dead owner. Returns how
/// many there were. Owners in other PID or time namespaces are ignored: the
/// same number and start time mean another process there.
unsigned killOrphans();

} // namespace pruner

#endif // PRUNER_SUPPORT_GUARD_H
