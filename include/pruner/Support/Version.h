//===- Version.h - versions of Pruner and LLVM ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_VERSION_H
#define PRUNER_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// The version of the project, such as "0.1.0".
llvm::StringRef version();
/// The first digits of the Git commit that was built; empty outside of Git.
llvm::StringRef versionCommit();
/// The version of LLVM that was compiled against.
llvm::StringRef llvmVersion();

/// Prints what `--version` of each tool prints:
///
///     Pruner 0.1.0 (commit 0123456789)
///     LLVM 22.1.8
void printVersion(llvm::raw_ostream &os);

} // namespace pruner

#endif // PRUNER_SUPPORT_VERSION_H
