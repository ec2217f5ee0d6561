//===- UniqueFile.h - files under names that no other has -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's createUniqueFile(), createUniquePath() and createTemporaryFile()
// replace every '%' of a path by a random digit, also in the directories that a
// user named. These functions keep the names of users.

#ifndef PRUNER_SUPPORT_UNIQUEFILE_H
#define PRUNER_SUPPORT_UNIQUEFILE_H

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"

#include <string>
#include <system_error>

namespace pruner {

/// Twelve random hexadecimal digits.
std::string randomDigits();

/// Creates an empty file `<prefix><random digits><suffix>` and opens it for
/// reading and writing. `mode` are its permissions before the umask.
std::error_code createUniqueFile(const llvm::Twine &prefix,
                                 const llvm::Twine &suffix, int &fd,
                                 llvm::SmallVectorImpl<char> &path,
                                 unsigned mode);

/// The start of the name of a file `name` in the directory for temporary
/// files.
std::string temporaryPrefix(llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_SUPPORT_UNIQUEFILE_H
