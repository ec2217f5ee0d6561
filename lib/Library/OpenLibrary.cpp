//===- OpenLibrary.cpp - open shared libraries by content -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "OpenLibrary.h"

#include "pruner/Support/Hashing.h"
#include "pruner/Support/UniqueFile.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <dlfcn.h>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

/// Since Linux 6.3; the system may forbid executable memory files without it.
static constexpr unsigned kMayExecute = 0x10;

Error pruner::checkLibrary(StringRef data) {
  if (data.empty())
    return createStringError("the file is empty");
  if (!data.starts_with("\177ELF"))
    return createStringError("the file is not a shared library");
  auto file = object::ELFFile<object::ELF64LE>::create(data);
  if (!file)
    return file.takeError();
  const auto &header = file->getHeader();
  if (header.e_ident[ELF::EI_CLASS] != ELF::ELFCLASS64 ||
      header.e_ident[ELF::EI_DATA] != ELF::ELFDATA2LSB ||
      header.e_type != ELF::ET_DYN)
    return createStringError("it is not a 64-bit shared library");
  // The number of segments would be in another place, where dlopen() does not
  // look for it.
  if (header.e_phnum == ELF::PN_XNUM)
    return createStringError("its header counts too many segments");
  auto segments = file->program_headers();
  if (!segments)
    return segments.takeError();
  for (const auto &segment : *segments)
    if (auto content = file->getSegmentContents(segment); !content)
      return content.takeError();
  return file->sections().takeError();
}

/// Writes the copy and opens it by its name.
static Expected<void *> openCopy(int descriptor, StringRef data,
                                 const char *name) {
  raw_fd_ostream stream(descriptor, /*shouldClose=*/false);
  stream << data;
  stream.flush();
  std::error_code problem = stream.error();
  stream.clear_error();
  if (problem)
    return errorCodeToError(problem);
  if (void *library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL))
    return library;
  StringRef reason = ::dlerror();
  // The name of the copy is not useful in a message.
  reason.consume_front(name);
  reason.consume_front(": ");
  return createStringError(reason);
}

/// Opens a copy in memory. The descriptor stays open, so that no other library
/// can get the same name.
static Expected<void *> openInMemory(StringRef data) {
  int descriptor = ::memfd_create("pruner-network", MFD_CLOEXEC | kMayExecute);
  if (descriptor < 0)
    descriptor = ::memfd_create("pruner-network", MFD_CLOEXEC);
  if (descriptor < 0)
    return errorCodeToError(errnoAsErrorCode());
  Expected<void *> library =
      openCopy(descriptor, data,
               ("/proc/self/fd/" + std::to_string(descriptor)).c_str());
  if (!library)
    ::close(descriptor);
  return library;
}

/// Opens a copy in the directory for temporary files and deletes it
/// immediately.
static Expected<void *> openInDirectory(StringRef data) {
  SmallString<128> name;
  int descriptor = -1;
  if (std::error_code code =
          createUniqueFile(temporaryPrefix("pruner-network-"), ".so",
                           descriptor, name, sys::fs::owner_all))
    return errorCodeToError(code);
  Expected<void *> library = openCopy(descriptor, data, name.c_str());
  sys::fs::remove(name);
  ::close(descriptor);
  return library;
}

Expected<void *> pruner::openLibrary(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  if (!buffer)
    return createStringError(path + ": " + buffer.getError().message());
  StringRef data = (*buffer)->getBuffer();
  if (Error error = checkLibrary(data))
    return createStringError(path + ": " + toString(std::move(error)));

  // As dlopen() does, open the same content of a file only once.
  static std::mutex mutex;
  static StringMap<void *> opened;
  static DenseMap<void *, std::string> keys;
  SmallString<128> real;
  if (sys::fs::real_path(path, real))
    real = path;
  std::string key = contentHash({real.str(), data});
  std::lock_guard<std::mutex> lock(mutex);
  auto [place, isNew] = opened.try_emplace(key, nullptr);
  if (!isNew)
    return place->second;
  std::string reasons;
  for (auto *open : {openInMemory, openInDirectory}) {
    Expected<void *> library = open(data);
    if (library && keys.try_emplace(*library, key).second)
      return place->second = *library;
    reasons += (reasons.empty() ? "" : "; ") +
               (library ? "dlopen() returned another library"
                        : toString(library.takeError()));
  }
  opened.erase(place);
  return createStringError(path + ": " + reasons);
}
