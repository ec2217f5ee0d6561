//===- Guard.h - nothing outlives the process it was for --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process that is killed cannot clean up. So a small process stands between
// it and each child: the guard. It adopts whatever its child starts, moved to
// other groups and sessions or not, and kills all of it when the child ends,
// when it is asked to (SIGTERM), and when the process that started it dies.
//
// A guard can be killed as well. Therefore everything below it carries a mark
// in its environment that names the owner, and a later process ends what still
// carries the mark of an owner that is dead.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_GUARD_H
#define PRUNER_SUPPORT_GUARD_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace pruner {

/// Splits this process in two: the call returns in a child, while the process
/// itself becomes its guard and never returns. It ends as the child does, with
/// its exit code or by its signal. To be called before any thread is started,
/// in a process started by a Subprocess with `guarded`.
void becomeGuarded();

/// Removes `directory` when the writer of stdin is gone, then returns. Says
/// "ready" on stdout as soon as nothing but SIGKILL can keep it from that.
void keepUntilOwnerDies(const std::string &directory);

/// The environment variable of the mark, and its value for the child number
/// `instance` of this process: what tells this process from all others since
/// the system started, and its children from each other.
inline constexpr llvm::StringLiteral ownerVariable = "PRUNER_OWNER";
std::string ownerMark(unsigned instance);

/// Kills every process of this user whose mark is `mark`; how many there were.
unsigned killMarked(llvm::StringRef mark);

/// Kills every process of this user that carries the mark of an owner that is
/// dead; how many there were. Owners in other PID or time namespaces are not
/// judged: there the same number and start time are another process.
unsigned killOrphans();

} // namespace pruner

#endif // PRUNER_SUPPORT_GUARD_H
