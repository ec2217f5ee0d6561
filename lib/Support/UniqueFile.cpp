//===- UniqueFile.cpp - files under names that no other has ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/UniqueFile.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <fcntl.h>

using namespace llvm;
using namespace pruner;

std::string pruner::randomDigits() {
  SmallString<16> digits;
  sys::fs::createUniquePath("%%%%%%%%%%%%", digits, /*MakeAbsolute=*/false);
  return std::string(digits);
}

std::error_code pruner::createUniqueFile(const Twine &prefix,
                                         const Twine &suffix, int &fd,
                                         SmallVectorImpl<char> &path,
                                         unsigned mode) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string name = (prefix + randomDigits() + suffix).str();
    fd = sys::RetryAfterSignal(-1, ::open, name.c_str(),
                               O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0) {
      path.assign(name.begin(), name.end());
      return {};
    }
    if (errno != EEXIST)
      return errnoAsErrorCode();
  }
  return std::make_error_code(std::errc::file_exists);
}

std::string pruner::temporaryPrefix(StringRef name) {
  SmallString<128> path;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, path);
  sys::path::append(path, name);
  return std::string(path);
}
