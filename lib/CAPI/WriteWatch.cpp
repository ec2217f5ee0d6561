//===- WriteWatch.cpp - detect writes to memory ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteWatch.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <mutex>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner::capi;
using Range = WriteWatch::Range;

// From the kernel's headers (linux/userfaultfd.h, linux/fs.h), which are older
// where this is compiled.
static constexpr int kUserModeOnly = 1;
static constexpr uint64_t kWpUnpopulated = uint64_t(1) << 13,
                          kWpAsync = uint64_t(1) << 15;
namespace {
struct ScanRequest {
  uint64_t size = sizeof(ScanRequest), flags, first, last, walkEnd = 0;
  uint64_t regions = 0, regionCount = 0, maxPages = 0;
  uint64_t invertedCategories = 0, allOf, anyOf = 0, returned;
};
struct ScanRegion {
  uint64_t first, last, categories;
};
} // namespace
static constexpr unsigned long kPagemapScan = _IOWR('f', 16, ScanRequest);
static constexpr uint64_t kPageIsWritten = 2;
static constexpr uint64_t kProtectMatching = 1, kCheckAsync = 2;

namespace {
/// The kernel's side of all watches of this process.
class Kernel {
public:
  std::mutex mutex;
  uint64_t armed = 0;

  /// Whether memory can be watched. A child of `fork` has descriptors for the
  /// memory of its parent, and needs its own.
  bool isReady() {
    if (owner == getpid())
      return pagemap >= 0;
    for (int *file : {&faults, &pagemap}) {
      if (*file >= 0)
        close(*file);
      *file = -1;
    }
    owner = getpid();
    ++armed;
    faults =
        int(syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | kUserModeOnly));
    uffdio_api api = {};
    api.api = UFFD_API;
    api.features = kWpUnpopulated | kWpAsync;
    if (faults < 0 || ioctl(faults, UFFDIO_API, &api) != 0)
      return false;
    pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    return pagemap >= 0;
  }

  bool protect(Range range) {
    uffdio_register request = {};
    request.range = {range.first, range.last - range.first};
    request.mode = UFFDIO_REGISTER_MODE_WP;
    if (ioctl(faults, UFFDIO_REGISTER, &request) != 0)
      return false;
    ScanRequest scan = scanOf(range, kProtectMatching);
    return ioctl(pagemap, kPagemapScan, &scan) >= 0;
  }

  bool isWritten(Range range) {
    ScanRegion found;
    ScanRequest scan = scanOf(range, 0);
    scan.regions = reinterpret_cast<uintptr_t>(&found);
    scan.regionCount = scan.maxPages = 1;
    return ioctl(pagemap, kPagemapScan, &scan) != 0;
  }

private:
  /// Fails where the range is not registered, such as after a new mapping.
  static ScanRequest scanOf(Range range, uint64_t flags) {
    ScanRequest scan;
    scan.flags = flags | kCheckAsync;
    scan.first = range.first;
    scan.last = range.last;
    scan.allOf = scan.returned = kPageIsWritten;
    return scan;
  }

  pid_t owner = 0;
  int faults = -1, pagemap = -1;
};
} // namespace

/// Never destroyed: handles may be used until the process ends.
static Kernel &kernel() {
  static auto *const only = new Kernel;
  return *only;
}

/// Devices that may write to memory that a process has pinned.
static constexpr StringLiteral kDevices[] = {
    "/dev/nvidia", "/dev/kfd", "/dev/dri", "/dev/accel", "/dev/infiniband"};

/// The private mappings without a file, by address; adjacent ones are joined.
/// None if a device is mapped.
static std::vector<Range> privateMappings() {
  std::vector<Range> found;
  auto maps = MemoryBuffer::getFileAsStream("/proc/self/maps");
  if (!maps)
    return found;
  SmallVector<StringRef> lines, fields;
  (*maps)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    // first-last permissions offset device inode path
    fields.clear();
    SplitString(line, fields, " ");
    if (fields.size() > 5 && any_of(kDevices, [&](StringRef device) {
          return fields[5].starts_with(device);
        }))
      return {};
    Range range;
    if (fields.size() < 5 || !fields[1].ends_with("p") || fields[4] != "0" ||
        fields[0].split('-').first.getAsInteger(16, range.first) ||
        fields[0].split('-').second.getAsInteger(16, range.last))
      continue;
    if (!found.empty() && found.back().last == range.first)
      found.back().last = range.last;
    else
      found.push_back(range);
  }
  return found;
}

uintptr_t WriteWatch::pageBytes() {
  static const uintptr_t bytes = uintptr_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

ArrayRef<Range> WriteWatch::arm(ArrayRef<Range> wanted) {
  ranges.clear();
  std::lock_guard lock(kernel().mutex);
  if (wanted.empty() || !kernel().isReady())
    return {};
  std::vector<Range> mappings = privateMappings();
  for (Range range : wanted)
    if (any_of(mappings,
               [&](Range mapping) {
                 return mapping.first <= range.first &&
                        range.last <= mapping.last;
               }) &&
        kernel().protect(range))
      ranges.push_back(range);
  armed = ++kernel().armed;
  return ranges;
}

WriteWatch::State WriteWatch::check() {
  std::lock_guard lock(kernel().mutex);
  if (ranges.empty() || !kernel().isReady() ||
      any_of(ranges, [](Range range) { return kernel().isWritten(range); }))
    return State::Written;
  if (armed == kernel().armed)
    return State::Clean;
  armed = kernel().armed;
  return State::Unknown;
}
