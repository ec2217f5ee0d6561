//===- CacheReplay.cpp - restore cache states between runs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/CacheReplay.h"
#include "pruner/Runtime/Timer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <mutex>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

using namespace pruner;

static constexpr size_t kLine = 64;

//===----------------------------------------------------------------------===//
// Memory operations
//===----------------------------------------------------------------------===//

#if defined(__x86_64__)
/// Flushes of several lines overlap, which takes a tenth of the time.
__attribute__((target("clflushopt"))) static void
flushSideBySide(const uint8_t *data, size_t bytes) {
  for (size_t at = 0; at < bytes; at += kLine)
    _mm_clflushopt(const_cast<uint8_t *>(data + at));
}

static bool hasClflushopt() {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_CLFLUSHOPT);
}
#endif

/// Flushes lines from all caches. Has no effect on architectures without such
/// an instruction.
static void flushLines(const uint8_t *data, size_t bytes) {
#if defined(__x86_64__)
  static const bool sideBySide = hasClflushopt();
  if (sideBySide)
    flushSideBySide(data, bytes);
  else
    for (size_t at = 0; at < bytes; at += kLine)
      _mm_clflush(data + at);
  _mm_mfence();
#elif defined(__aarch64__)
  for (size_t at = 0; at < bytes; at += kLine)
    asm volatile("dc civac, %0" ::"r"(data + at) : "memory");
  asm volatile("dsb ish" ::: "memory");
#endif
}

/// Leaves the lines as a writer would: present and modified.
static void touchLines(uint8_t *data, size_t bytes) {
  for (size_t at = 0; at < bytes; at += kLine) {
    volatile uint8_t *line = data + at;
    *line = *line;
  }
}

static void readLines(const uint8_t *data, size_t bytes) {
  uint8_t sum = 0;
  for (size_t at = 0; at < bytes; at += kLine)
    sum += data[at];
  volatile uint8_t sink = sum;
  (void)sink;
}

/// Executes code without effect that fills the first-level instruction cache.
__attribute__((noinline)) static void walkCode() {
#if defined(__x86_64__)
  // 8,192 times 8 bytes.
  asm volatile(".rept 8192\n\tnopl 0(%%rax, %%rax, 1)\n\t"
               ".byte 0x0f, 0x1f, 0x00\n\t.endr" ::);
#elif defined(__aarch64__)
  asm volatile(".rept 16384\n\tnop\n\t.endr" ::);
#endif
}

//===----------------------------------------------------------------------===//
// Caches of this machine
//===----------------------------------------------------------------------===//

size_t CacheReplay::coreCacheBytes() {
  long l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE),
       l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (l1 <= 0 || l2 <= 0)
    return size_t(4) << 20;
  return size_t(l1 + l2);
}

/// Nanoseconds until half of the data that this core evicts from its own caches
/// is gone from a shared cache although the core accesses nothing: then reading
/// it takes the mean of an immediate read and a read from memory. At most about
/// `longest`.
static int64_t sharedCacheHalfLife(size_t core, int64_t longest) {
  constexpr size_t kBytes = 256 << 10;
  std::vector<uint8_t> block(kBytes, 1), others(2 * core, 1);
  auto median = [&](bool flush, int64_t wait) {
    std::vector<int64_t> times;
    for (int turn = 0; turn < 7; ++turn) {
      readLines(block.data(), kBytes);
      if (flush)
        flushLines(block.data(), kBytes);
      readLines(others.data(), others.size());
      for (int64_t until = nowNanoseconds() + wait; nowNanoseconds() < until;)
        ;
      int64_t start = nowNanoseconds();
      readLines(block.data(), kBytes);
      times.push_back(nowNanoseconds() - start);
    }
    llvm::sort(times);
    return double(times[times.size() / 2]);
  };
  double before = median(false, 0);
  double half = (before + median(true, 0)) / 2;
  for (int64_t wait = 500'000, last = 0; last < longest;
       last = wait, wait *= 2) {
    double now = median(false, wait);
    if (now < half) {
      before = now;
      continue;
    }
    double part = now > before ? (half - before) / (now - before) : 1;
    return last + int64_t(double(wait - last) * std::clamp(part, 0.0, 1.0));
  }
  return longest;
}

size_t CacheReplay::sharedCacheReach(unsigned threads) {
  static const size_t core = coreCacheBytes();
  static const long l3 = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (l3 <= 0)
    return core;
  // The time that networks take to access all of that cache.
  constexpr double kBytesPerNanosecond = 1.5;
  static const int64_t halfLife =
      sharedCacheHalfLife(core, int64_t(double(l3) / kBytesPerNanosecond));
  size_t touched =
      size_t(double(halfLife) * kBytesPerNanosecond) * std::max(1u, threads);
  return std::clamp(touched, core, std::max(core, size_t(l3)));
}

//===----------------------------------------------------------------------===//
// Replays
//===----------------------------------------------------------------------===//

/// Memory of at least `bytes` for walks, shared by all replays, because
/// allocating its pages takes longer than timing a kernel.
static std::shared_ptr<std::vector<uint8_t>> walkMemory(size_t bytes) {
  static std::mutex mutex;
  static std::shared_ptr<std::vector<uint8_t>> memory;
  std::lock_guard<std::mutex> lock(mutex);
  if (!memory || memory->size() < bytes)
    memory = std::make_shared<std::vector<uint8_t>>(bytes, 1);
  return memory;
}

CacheReplay::CacheReplay(llvm::ArrayRef<ReplayedOperand> operands,
                         llvm::ArrayRef<uint8_t> code, const Options &options)
    : options(options), walk(walkMemory(options.walkBytes * options.threads)) {
  const size_t reach =
      options.reach ? *options.reach : sharedCacheReach(options.threads);
  const size_t walked = options.walkBytes * options.threads;
  std::vector<ReplayedOperand> within;
  for (const ReplayedOperand &operand : operands)
    (size_t(operand.distance) > reach ? far : within).push_back(operand);
  if (!far.empty())
    this->code = code;
  llvm::stable_sort(within, [](const auto &a, const auto &b) {
    return a.distance < b.distance;
  });
  // Later accesses are part of an operand's distance. Beyond the start of the
  // walk it stays where its last run left it.
  size_t behind = 0, after = 0;
  for (const ReplayedOperand &operand : within) {
    size_t distance = size_t(operand.distance);
    if (distance > walked)
      break;
    after = std::max(after, distance - std::min(distance, behind));
    near.push_back({static_cast<uint8_t *>(operand.data), operand.bytes,
                    after / options.threads});
    behind += operand.bytes;
  }
  std::reverse(near.begin(), near.end());
}

void CacheReplay::replay(unsigned thread) {
  const uint8_t *memory = walk->data() + thread * options.walkBytes;
  size_t left = options.walkBytes;
  auto walkTo = [&](size_t rest) {
    if (rest >= left)
      return;
    readLines(memory + options.walkBytes - left, left - rest);
    left = rest;
  };
  for (const Near &operand : near) {
    walkTo(operand.after);
    // Threads divide their work into contiguous ranges, so split operands
    // likewise.
    size_t lines = llvm::divideCeil(operand.bytes, kLine);
    size_t begin = lines * thread / options.threads * kLine;
    size_t end =
        std::min(operand.bytes, lines * (thread + 1) / options.threads * kLine);
    if (begin < end)
      touchLines(operand.data + begin, end - begin);
  }
  walkTo(0);
  walkCode();
}

void CacheReplay::operator()() {
  for (const ReplayedOperand &operand : far)
    flushLines(static_cast<uint8_t *>(operand.data), operand.bytes);
  flushLines(code.data(), code.size());
  if (options.threads > 1)
    options.team([&](unsigned thread) { replay(thread); });
  else
    replay(0);
}
