//===- CoreWait.cpp - time that a process waits for a core ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CoreWait.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <string>

using namespace pruner;

CoreWait::CoreWait(int pid) : pid(pid), before(nanoseconds()) {}

std::map<int, uint64_t> CoreWait::nanoseconds() const {
  std::map<int, uint64_t> waits;
  std::string path = "/proc/" + std::to_string(pid) + "/task";
  DIR *directory = ::opendir(path.c_str());
  if (!directory)
    return waits;
  while (const dirent *entry = ::readdir(directory)) {
    int thread = std::atoi(entry->d_name);
    if (thread <= 0)
      continue;
    std::string name = path + "/" + entry->d_name + "/schedstat";
    std::FILE *file = std::fopen(name.c_str(), "re");
    if (!file)
      continue;
    // Nanoseconds on a core and in the queue for one, and the number of time
    // slices.
    uint64_t ran, waited;
    if (std::fscanf(file, "%" SCNu64 " %" SCNu64, &ran, &waited) == 2)
      waits[thread] = waited;
    std::fclose(file);
  }
  ::closedir(directory);
  return waits;
}

double CoreWait::seconds() const {
  uint64_t longest = 0;
  for (auto [thread, waited] : nanoseconds()) {
    auto start = before.find(thread);
    uint64_t since = start == before.end() ? 0 : start->second;
    longest = std::max(longest, waited - std::min(waited, since));
  }
  return double(longest) * 1e-9;
}
