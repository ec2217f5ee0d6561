//===- TemporaryFile.h - temporary files ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TARGET_TEMPORARYFILE_H
#define PRUNER_LIB_TARGET_TEMPORARYFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"
#include <optional>

namespace pruner {

/// A file that is deleted at the end of this object's life.
struct TemporaryFile {
  llvm::SmallString<128> path;
  std::optional<llvm::FileRemover> remover;

  llvm::Error create(llvm::StringRef suffix);
  /// Replaces the contents.
  llvm::Error write(llvm::StringRef contents) const;
  /// The contents; empty if the file cannot be read.
  std::string read() const;
};

} // namespace pruner

#endif // PRUNER_LIB_TARGET_TEMPORARYFILE_H
