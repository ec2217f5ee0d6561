//===- TemporaryFile.cpp - temporary files --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TemporaryFile.h"

#include "pruner/Support/UniqueFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <unistd.h>

using namespace pruner;
using namespace llvm;

Error TemporaryFile::create(StringRef suffix) {
  std::string prefix = temporaryPrefix("pruner-");
  int fd = -1;
  if (std::error_code error =
          createUniqueFile(prefix, "." + suffix, fd, path,
                           sys::fs::owner_read | sys::fs::owner_write))
    return createStringError("cannot create a temporary file '" + prefix +
                             "...': " + error.message());
  ::close(fd);
  remover.emplace(path);
  return Error::success();
}

Error TemporaryFile::write(StringRef contents) const {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  if (!error) {
    stream << contents;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error)
    return createStringError("cannot write '" + path + "': " + error.message());
  return Error::success();
}

std::string TemporaryFile::read() const {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}
