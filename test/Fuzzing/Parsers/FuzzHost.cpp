//===- FuzzHost.cpp - files of procfs and sysfs ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The input holds files: a line "=== <number>" begins each, and the number
// chooses its path.

#include "HostFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

using namespace llvm;

static const char *const kPaths[] = {
    "proc/cpuinfo",
    "proc/meminfo",
    "proc/self/cgroup",
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
    "sys/devices/system/cpu/cpu0/cache/index0/level",
    "sys/devices/system/cpu/cpu0/cache/index0/type",
    "sys/devices/system/cpu/cpu0/cache/index0/size",
    "sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size",
    "sys/devices/system/cpu/cpu0/cache/index1/level",
    "sys/devices/system/cpu/cpu0/cache/index1/size",
    "sys/fs/cgroup/cpu.max",
    "sys/fs/cgroup/memory.max",
    "sys/fs/cgroup/a/cpu.max",
    "sys/fs/cgroup/a/memory.max",
    "sys/fs/cgroup/cpu/cpu.cfs_quota_us",
    "sys/fs/cgroup/cpu/cpu.cfs_period_us",
    "sys/fs/cgroup/memory/memory.limit_in_bytes",
};

static void require(bool condition) {
  if (!condition)
    std::abort();
}

namespace {
/// Directories that are made once, and files that come and go.
struct Root {
  SmallString<128> path;
  std::vector<std::string> files;

  Root() {
    require(!sys::fs::createUniqueDirectory("fuzz-host", path));
    for (const char *file : kPaths)
      require(!sys::fs::create_directories(
          sys::path::parent_path((path + "/" + file).str())));
  }
  ~Root() { sys::fs::remove_directories(path); }

  void clear() {
    for (const std::string &file : files)
      sys::fs::remove(file);
    files.clear();
  }
  void put(const char *file, StringRef text) {
    std::error_code code;
    files.push_back((path + "/" + file).str());
    raw_fd_ostream(files.back(), code) << text;
    require(!code);
  }
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Root root;
  root.clear();
  StringRef rest(reinterpret_cast<const char *>(data), size);
  while (rest.consume_front("=== ")) {
    unsigned number = 0;
    if (rest.consumeInteger(10, number) || !rest.consume_front("\n"))
      break;
    size_t end = rest.find("\n=== ");
    root.put(kPaths[number % std::size(kPaths)], rest.take_front(end));
    rest = end == StringRef::npos ? "" : rest.drop_front(end + 1);
  }
  pruner::detail::HostFiles files{(root.path + "/proc").str(),
                                  (root.path + "/sys").str(),
                                  /*askLibc=*/false};
  pruner::detail::Notes notes;
  // Whatever the files contain, a machine has caches, a clock and memory.
  auto caches = files.caches(0, notes);
  require(caches.l1 > 0 && caches.l2 > 0 && caches.l3 >= 0 && caches.line > 0);
  double clock = files.clockMHz(0, notes);
  require(std::isfinite(clock) && clock > 0);
  if (auto quota = files.cpuQuota())
    require(std::isfinite(*quota) && *quota > 0);
  require(files.memoryBytes(notes) > 0);
  return 0;
}
