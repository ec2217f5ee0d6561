//===- RunDirectory.cpp - files that workers share ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunDirectory.h"

#include "pruner/Measure/Protocol.h"
#include "pruner/Support/UniqueFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace pruner;

static constexpr StringLiteral kPrefix = "pruner-run-";

/// An open and locked descriptor of a directory of this user; -1 if another
/// process holds the lock, or if the directory belongs to another user.
static int lockDirectory(const std::string &path) {
  int fd =
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return -1;
  struct stat status;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &status) == 0 &&
      status.st_uid == ::geteuid() && status.st_nlink > 0)
    return fd;
  ::close(fd);
  return -1;
}

std::unique_ptr<RunDirectory> RunDirectory::create(const std::string &keeper,
                                                   uint64_t maxReferenceBytes) {
  SmallString<128> name(temporaryPrefix(kPrefix));
  name += randomDigits();
  sys::fs::make_absolute(name);

  // Start the keeper first: once it is ready, nothing can be left behind.
  SubprocessOptions options;
  options.program = keeper;
  options.arguments = {workerKeepFlag.str(), std::string(name)};
  auto process = Subprocess::start(options);
  if (!process) {
    consumeError(process.takeError());
    return nullptr;
  }
  if (process->readLine(Subprocess::in(20)).line != "ready" ||
      ::mkdir(name.c_str(), 0700))
    return nullptr;
  std::unique_ptr<RunDirectory> made(new RunDirectory());
  made->directory = std::string(name);
  made->keeper.emplace(std::move(*process));
  made->maxReferenceBytes = maxReferenceBytes;
  if (auto space = sys::fs::disk_space(name))
    made->maxReferenceBytes = std::min(maxReferenceBytes, space->available / 4);
  // Another run may have removed it as abandoned in the meantime.
  made->lock = lockDirectory(made->directory);
  if (made->lock < 0 || ::mkdir(made->references().c_str(), 0700))
    return nullptr;
  return made;
}

RunDirectory::~RunDirectory() {
  if (keeper) {
    keeper->closeInput();
    keeper->wait(Subprocess::in(5));
  }
  sys::fs::remove_directories(directory);
  if (lock >= 0)
    ::close(lock);
}

unsigned RunDirectory::removeAbandoned() {
  SmallString<128> place;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, place);
  std::vector<std::string> found;
  std::error_code code;
  for (sys::fs::directory_iterator it(place, code, /*follow_symlinks=*/false),
       end;
       it != end && !code; it.increment(code))
    if (sys::path::filename(it->path()).starts_with(kPrefix))
      found.push_back(it->path());
  unsigned count = 0;
  for (const std::string &path : found) {
    int fd = lockDirectory(path);
    if (fd < 0)
      continue;
    count += !sys::fs::remove_directories(path);
    ::close(fd);
  }
  return count;
}

void RunDirectory::trim() {
  struct File {
    sys::TimePoint<> time;
    uint64_t bytes;
    std::string path;
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::error_code code;
  for (sys::fs::directory_iterator it(references(), code), end;
       it != end && !code; it.increment(code)) {
    auto status = it->status();
    if (!status)
      continue;
    files.push_back(
        {status->getLastModificationTime(), status->getSize(), it->path()});
    total += status->getSize();
  }
  llvm::sort(files,
             [](const File &a, const File &b) { return a.time < b.time; });
  for (const File &file : files) {
    if (total <= maxReferenceBytes)
      break;
    if (!sys::fs::remove(file.path))
      total -= file.bytes;
  }
}
