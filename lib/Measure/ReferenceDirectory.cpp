//===- ReferenceDirectory.cpp - where workers keep references -------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceDirectory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include <vector>

using namespace llvm;
using namespace pruner;

std::unique_ptr<ReferenceDirectory>
ReferenceDirectory::create(uint64_t maxBytes) {
  SmallString<128> path;
  if (sys::fs::createUniqueDirectory("pruner-references", path))
    return nullptr;
  return std::unique_ptr<ReferenceDirectory>(
      new ReferenceDirectory(std::string(path), maxBytes));
}

ReferenceDirectory::~ReferenceDirectory() {
  sys::fs::remove_directories(directory);
}

void ReferenceDirectory::trim() {
  struct File {
    sys::TimePoint<> time;
    uint64_t bytes;
    std::string path;
  };
  std::vector<File> files;
  uint64_t total = 0;
  std::error_code code;
  for (sys::fs::directory_iterator it(directory, code), end; it != end && !code;
       it.increment(code)) {
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
    if (total <= maxBytes)
      break;
    if (!sys::fs::remove(file.path))
      total -= file.bytes;
  }
}
