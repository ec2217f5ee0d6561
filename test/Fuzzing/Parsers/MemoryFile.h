//===- MemoryFile.h - inputs of fuzzers as files ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_FUZZ_MEMORYFILE_H
#define PRUNER_TEST_FUZZ_MEMORYFILE_H

#include "llvm/ADT/StringRef.h"

#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace pruner {

/// A file in memory, for readers that take a path.
class MemoryFile {
public:
  explicit MemoryFile(llvm::StringRef content)
      : fd(memfd_create("input", MFD_CLOEXEC)) {
    if (fd < 0 ||
        write(fd, content.data(), content.size()) != ssize_t(content.size()))
      std::abort();
  }
  MemoryFile(const MemoryFile &) = delete;
  ~MemoryFile() { close(fd); }

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd); }

private:
  int fd;
};

} // namespace pruner

#endif // PRUNER_TEST_FUZZ_MEMORYFILE_H
