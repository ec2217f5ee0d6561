//===- ReferenceDirectory.h - where workers keep references -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_MEASURE_REFERENCEDIRECTORY_H
#define PRUNER_LIB_MEASURE_REFERENCEDIRECTORY_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <string>

namespace pruner {

/// A directory for the references of one run, so that a worker that replaces
/// another, or comes back to a task, does not compute them again. It goes when
/// its owner goes.
class ReferenceDirectory {
public:
  /// Null if the system has no place for it; workers do without then.
  static std::unique_ptr<ReferenceDirectory> create(uint64_t maxBytes);
  ~ReferenceDirectory();

  llvm::StringRef path() const { return directory; }
  /// Removes the oldest files until the rest fits. To be called while no worker
  /// writes.
  void trim();

private:
  ReferenceDirectory(std::string directory, uint64_t maxBytes)
      : directory(std::move(directory)), maxBytes(maxBytes) {}

  std::string directory;
  uint64_t maxBytes;
};

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_REFERENCEDIRECTORY_H
