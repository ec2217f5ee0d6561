//===- Version.cpp - versions of Pruner and LLVM --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Version.h"

#include "Commit.inc"

#include "llvm/Config/llvm-config.h"

llvm::StringRef pruner::version() { return PRUNER_VERSION; }

llvm::StringRef pruner::versionCommit() { return PRUNER_COMMIT; }

llvm::StringRef pruner::llvmVersion() { return LLVM_VERSION_STRING; }

void pruner::printVersion(llvm::raw_ostream &os) {
  os << "Pruner " << version();
  if (!versionCommit().empty())
    os << " (commit " << versionCommit() << ")";
  os << "\nLLVM " << llvmVersion() << '\n';
}
