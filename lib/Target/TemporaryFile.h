//===- TemporaryFile.h - files for other programs ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TARGET_TEMPORARYFILE_H
#define PRUNER_LIB_TARGET_TEMPORARYFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"
#include <optional>

namespace pruner {

/// A file that exists from `create` to the end of this object.
struct TemporaryFile {
  llvm::SmallString<128> path;
  std::optional<llvm::FileRemover> remover;

  llvm::Error create(llvm::StringRef suffix);
  /// Replaces the contents.
  llvm::Error write(llvm::StringRef contents) const;
  /// The contents; empty when it cannot be read.
  std::string read() const;
};

} // namespace pruner

#endif // PRUNER_LIB_TARGET_TEMPORARYFILE_H
