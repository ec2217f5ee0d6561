//===- OutputFile.cpp - atomic writes of files ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/OutputFile.h"
#include "pruner/Support/HostProcess.h"
#include "pruner/Support/UniqueFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

static std::atomic<bool> handlesSignals = true;

void pruner::leaveSignalHandlersAlone() { handlesSignals = false; }

static Error cannotWrite(std::error_code code) {
  return createStringError("cannot write: " + code.message());
}

Error pruner::flushOutput(raw_fd_ostream &os) {
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  return code ? cannotWrite(code) : Error::success();
}

/// Flushes a file, or the entries of a directory, to disk. It is not an error
/// if the file system does not support this (EINVAL).
static std::error_code synchronize(const Twine &path, int flags) {
  SmallString<128> buffer;
  int fd =
      ::open(path.toNullTerminatedStringRef(buffer).data(), flags | O_CLOEXEC);
  if (fd < 0)
    return errnoAsErrorCode();
  std::error_code code;
  if (::fsync(fd) != 0 && errno != EINVAL && errno != EROFS)
    code = errnoAsErrorCode();
  ::close(fd);
  return code;
}

bool pruner::isSameFile(StringRef a, StringRef b) {
  if (sys::fs::exists(a) && !sys::fs::is_regular_file(a))
    return false; // Such as /dev/null.
  if (a == b || sys::fs::equivalent(a, b))
    return true;
  auto place = [](StringRef name) {
    StringRef directory = sys::path::parent_path(name);
    SmallString<128> real;
    if (sys::fs::real_path(directory.empty() ? "." : directory, real))
      real = directory;
    sys::path::append(real, sys::path::filename(name));
    return real;
  };
  return place(a) == place(b);
}

Error pruner::replaceOutputFile(StringRef path,
                                function_ref<Error(StringRef)> write) {
  sys::fs::file_status before;
  bool exists = !sys::fs::status(path, before) && sys::fs::exists(before);
  if (exists && before.type() != sys::fs::file_type::regular_file)
    return write(path);
  // Replace the target of a link, not the link.
  SmallString<128> target(path), temporary;
  if (exists)
    if (std::error_code code = sys::fs::real_path(path, target))
      return cannotWrite(code);
  int fd = -1;
  if (std::error_code code =
          createUniqueFile(target + ".", ".tmp", fd, temporary,
                           sys::fs::all_read | sys::fs::all_write))
    return cannotWrite(code);
  ::close(fd);
  const bool handled = handlesSignals;
  if (handled)
    sys::RemoveFileOnSignal(temporary);
  auto release = make_scope_exit([&] {
    if (handled)
      sys::DontRemoveFileOnSignal(temporary);
  });
  Error error = write(temporary);
  std::error_code code;
  if (!error) {
    if (exists) // Best effort.
      (void)sys::fs::setPermissions(temporary, before.permissions());
    code = synchronize(temporary, O_RDONLY);
    if (!code)
      code = sys::fs::rename(temporary, target);
    if (!code) {
      StringRef directory = sys::path::parent_path(target);
      // Best effort: the file itself is on disk.
      (void)synchronize(directory.empty() ? "." : directory,
                        O_RDONLY | O_DIRECTORY);
      return Error::success();
    }
  }
  sys::fs::remove(temporary);
  return code ? cannotWrite(code) : std::move(error);
}

Error pruner::writeOutputFile(StringRef path,
                              function_ref<Error(raw_ostream &)> write) {
  auto writeTo = [&](StringRef file) {
    std::error_code code;
    raw_fd_ostream os(file, code);
    if (code)
      return cannotWrite(code);
    Error error = write(os);
    return joinErrors(std::move(error), flushOutput(os));
  };
  return path == "-" ? writeTo(path) : replaceOutputFile(path, writeTo);
}
