//===- SpawnChild.h - fork and exec under limits ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_SUPPORT_SPAWNCHILD_H
#define PRUNER_LIB_SUPPORT_SPAWNCHILD_H

#include "pruner/Support/Subprocess.h"

namespace pruner {

/// The parent's ends of the pipes to a child. `err` is -1 if stderr is a file.
struct SpawnedChild {
  int pid = -1;
  int in = -1, out = -1, err = -1;
};

/// Starts the child described by `options`. The parent's ends are non-blocking
/// and close-on-exec.
llvm::Expected<SpawnedChild> spawnChild(const SubprocessOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_SUPPORT_SPAWNCHILD_H
