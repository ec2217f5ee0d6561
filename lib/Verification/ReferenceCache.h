//===- ReferenceCache.h - references stored for other workers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_REFERENCECACHE_H
#define PRUNER_LIB_VERIFICATION_REFERENCECACHE_H

#include "pruner/Verification/Reference.h"

namespace pruner {

/// The outputs of a reference as a file, so that a worker that replaces a dead
/// one need not compute them again. Failures to read or write it only cost
/// time; a damaged file is ignored.
class ReferenceCache {
public:
  /// An empty directory name disables the cache.
  ReferenceCache(llvm::StringRef directory, llvm::StringRef key);

  /// Fills in the outputs of `reference`; returns false if they must be
  /// computed.
  bool load(const TaskProgram &task, Reference &reference) const;
  void store(const Reference &reference) const;

private:
  std::string path;
};

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_REFERENCECACHE_H
