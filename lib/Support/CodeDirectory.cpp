//===- CodeDirectory.cpp - where this code is -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/CodeDirectory.h"

#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

using namespace pruner;

/// /proc/self/maps escapes newlines as \012.
static std::string unescape(std::string path) {
  for (std::size_t at = 0; (at = path.find("\\012", at)) != std::string::npos;
       ++at)
    path.replace(at, 4, "\n");
  return path;
}

std::optional<std::string> pruner::codeDirectory() {
  // dladdr() returns argv[0] for the main program, and for a library the name
  // by which it was opened. Both may be relative to another directory.
  // /proc/self/maps has the absolute path.
  auto address = reinterpret_cast<std::uintptr_t>(&codeDirectory);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx %*s %*s %*s %*s %n", &begin, &end,
                    &path) != 2 ||
        address < begin || address >= end)
      continue;
    if (!path)
      return std::nullopt;
    // A replaced file has the suffix " (deleted)".
    const std::string written = line.substr(std::size_t(path));
    for (const std::string &name : {written, unescape(written)}) {
      char resolved[PATH_MAX];
      if (realpath(name.c_str(), resolved))
        return std::string(resolved, std::strrchr(resolved, '/') - resolved);
    }
    return std::nullopt;
  }
  return std::nullopt;
}
