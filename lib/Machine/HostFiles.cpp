//===- HostFiles.cpp - host properties from procfs and sysfs --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostFiles.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <unistd.h>

using namespace pruner::detail;

std::optional<std::string> HostFiles::read(const std::string &path) const {
  // procfs and sysfs files report no size, so read to the end.
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// "48K", "2048K", "260M" or plain bytes.
static int64_t parseSize(llvm::StringRef text) {
  text = text.trim();
  int64_t scale = 1;
  if (text.consume_back("K") || text.consume_back("k"))
    scale = 1024;
  else if (text.consume_back("M"))
    scale = 1024 * 1024;
  else if (text.consume_back("G"))
    scale = 1024 * 1024 * 1024;
  int64_t value = 0, bytes = 0;
  if (text.rtrim().getAsInteger(10, value) || value < 0 ||
      llvm::MulOverflow(value, scale, bytes))
    return 0;
  return bytes;
}

CacheSizes HostFiles::caches(int cpu, Notes &notes) const {
  CacheSizes found;
  for (int index = 0;; ++index) {
    std::string dir =
        llvm::formatv("{0}/devices/system/cpu/cpu{1}/cache/index{2}/", sysRoot,
                      cpu, index)
            .str();
    std::optional<std::string> level = read(dir + "level");
    if (!level)
      break;
    std::optional<std::string> type = read(dir + "type");
    if (type && llvm::StringRef(*type).trim() == "Instruction")
      continue;
    int64_t size = parseSize(read(dir + "size").value_or(""));
    llvm::StringRef which = llvm::StringRef(*level).trim();
    int64_t *slot = which == "1"   ? &found.l1
                    : which == "2" ? &found.l2
                    : which == "3" ? &found.l3
                                   : nullptr;
    if (slot)
      *slot = std::max(*slot, size);
    if (!found.line)
      found.line = parseSize(read(dir + "coherency_line_size").value_or(""));
  }
  bool sysfs = found.l1 || found.l2 || found.l3;
#ifdef _SC_LEVEL1_DCACHE_SIZE
  auto ask = [&](int64_t &slot, int name) {
    if (askLibc && slot <= 0)
      slot = std::max<int64_t>(0, sysconf(name));
  };
  ask(found.l1, _SC_LEVEL1_DCACHE_SIZE);
  ask(found.l2, _SC_LEVEL2_CACHE_SIZE);
  ask(found.line, _SC_LEVEL1_DCACHE_LINESIZE);
  if (!sysfs) // If sysfs exists, it lists an L3 if there is one.
    ask(found.l3, _SC_LEVEL3_CACHE_SIZE);
#endif
  auto assume = [&](int64_t &slot, int64_t value, const char *name) {
    if (slot > 0)
      return;
    slot = value;
    notes.push_back(
        llvm::formatv("{0}: unknown; assumed {1} bytes", name, value).str());
  };
  assume(found.l1, 32 * 1024, "l1Bytes");
  assume(found.l2, 512 * 1024, "l2Bytes");
  assume(found.line, 64, "transactionBytes");
  if (!found.l3 && !sysfs)
    notes.push_back("l3Bytes: unknown; assumed none");
  return found;
}

/// The clock in a model name such as "... CPU @ 2.60GHz", MHz, or 0.
static double clockInModelName(llvm::StringRef model) {
  size_t at = model.rfind('@');
  if (at == llvm::StringRef::npos)
    return 0;
  llvm::StringRef text = model.substr(at + 1).trim();
  double scale = text.consume_back("GHz")   ? 1000
                 : text.consume_back("MHz") ? 1
                                            : 0;
  double value = 0;
  if (!scale || text.trim().getAsDouble(value) || !std::isfinite(value * scale))
    return 0;
  return value * scale;
}

double HostFiles::clockMHz(int cpu, Notes &notes) const {
  std::string dir =
      llvm::formatv("{0}/devices/system/cpu/cpu{1}/cpufreq/", sysRoot, cpu)
          .str();
  int64_t kHz = parseSize(read(dir + "cpuinfo_max_freq").value_or(""));
  if (kHz > 0)
    return kHz / 1000.0;
  double best = 0;
  std::string cpuinfo = read(procRoot + "/cpuinfo").value_or("");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(cpuinfo).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    auto [key, value] = line.split(':');
    double mhz = 0;
    if (key.trim() == "model name")
      best = std::max(best, clockInModelName(value));
    else if (key.trim() == "cpu MHz" && !value.trim().getAsDouble(mhz) &&
             std::isfinite(mhz))
      best = std::max(best, mhz);
  }
  if (best > 0) {
    notes.push_back("clockMHz: no cpufreq; taken from /proc/cpuinfo, the boost "
                    "clock may be higher");
    return best;
  }
  notes.push_back("clockMHz: unknown; assumed 2000");
  return 2000;
}

std::optional<double> HostFiles::cpuQuota() const {
  auto ratio = [](llvm::StringRef quota,
                  llvm::StringRef period) -> std::optional<double> {
    double q = 0, p = 0;
    if (quota.trim().getAsDouble(q) || period.trim().getAsDouble(p))
      return std::nullopt; // "max": no limit.
    double cpus = q / p;   // A quota of -1 means no limit.
    bool limits = q > 0 && p > 0 && cpus > 0 && std::isfinite(cpus);
    return limits ? std::optional<double>(cpus) : std::nullopt;
  };
  if (std::optional<std::string> v2 = read(sysRoot + "/fs/cgroup/cpu.max")) {
    auto [quota, period] = llvm::StringRef(*v2).trim().split(' ');
    return ratio(quota, period);
  }
  std::string v1 = sysRoot + "/fs/cgroup/cpu/cpu.cfs_";
  return ratio(read(v1 + "quota_us").value_or(""),
               read(v1 + "period_us").value_or(""));
}

int64_t HostFiles::memoryBytes(Notes &notes) const {
  int64_t total = 0;
  std::string meminfo = read(procRoot + "/meminfo").value_or("");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(meminfo).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    if (!line.consume_front("MemTotal:"))
      continue;
    line = line.trim();
    line.consume_back("B"); // "kB", which are 1024.
    total = parseSize(line.str());
  }
  if (total <= 0) {
    total = int64_t(4) << 30;
    notes.push_back("memoryBytes: unknown; assumed 4 GiB");
  }
  for (const char *file :
       {"/fs/cgroup/memory.max", "/fs/cgroup/memory/memory.limit_in_bytes"}) {
    int64_t limit = parseSize(read(sysRoot + file).value_or(""));
    if (limit > 0 && limit < total) {
      notes.push_back("memoryBytes: lowered to the control group's limit");
      total = limit;
    }
  }
  return total;
}

std::vector<int> pruner::detail::affinityMask(Notes &notes) {
  std::vector<int> cpus;
  // The kernel rejects a set smaller than its own; 2^18 CPUs are enough.
  for (int capacity = 1024; capacity <= (1 << 18); capacity *= 4) {
    cpu_set_t *set = CPU_ALLOC(capacity);
    size_t bytes = CPU_ALLOC_SIZE(capacity);
    if (!set)
      break;
    CPU_ZERO_S(bytes, set);
    bool ok = sched_getaffinity(0, bytes, set) == 0;
    for (int cpu = 0; ok && cpu < capacity; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, set))
        cpus.push_back(cpu);
    CPU_FREE(set);
    if (ok)
      return cpus;
  }
  long online = std::max(1l, sysconf(_SC_NPROCESSORS_ONLN));
  notes.push_back("units: no affinity mask; counted the CPUs online");
  for (int cpu = 0; cpu < online; ++cpu)
    cpus.push_back(cpu);
  return cpus;
}
