//===- CacheReplay.cpp - the caches as a network leaves them --------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Runtime/CacheReplay.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace pruner;

static constexpr size_t kLine = 64, kPage = 4096;

size_t pruner::coreCacheBytes() {
  long l1 = sysconf(_SC_LEVEL1_DCACHE_SIZE),
       l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (l1 <= 0 || l2 <= 0)
    return size_t(4) << 20;
  return size_t(l1 + l2);
}

ReplayMemory::~ReplayMemory() {
  if (memory)
    munmap(memory, size);
}

uint8_t *ReplayMemory::get(size_t bytes) {
  if (bytes <= size)
    return memory;
  if (memory)
    munmap(memory, size);
  size = llvm::alignTo(bytes, kPage);
  void *mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    memory = nullptr;
    size = 0;
    return nullptr;
  }
  memory = static_cast<uint8_t *>(mapped);
  // Written, so that the pages are distinct and not all the zero page.
  for (size_t at = 0; at < size; at += kPage)
    memory[at] = 1;
  return memory;
}

std::optional<CacheReplay>
CacheReplay::create(ReplayMemory &copies, ReplayMemory &walks,
                    llvm::ArrayRef<ReplayedOperand> operands,
                    const Options &options) {
  CacheReplay replay;
  replay.options = options;
  size_t farthest = 0, touched = 0;
  for (const ReplayedOperand &given : operands) {
    Operand operand;
    operand.bytes = given.bytes;
    operand.stride = llvm::alignTo(std::max<size_t>(given.bytes, 1), kLine);
    operand.distance =
        size_t(std::clamp<int64_t>(given.distance, 0, options.mostDistance));
    farthest = std::max(farthest, operand.distance);
    touched += given.bytes;
    replay.operands.push_back(operand);
  }
  if (replay.options.walkBytes == 0)
    replay.options.walkBytes = 2 * coreCacheBytes();
  size_t &walked = replay.options.walkBytes;
  walked = std::min(walked, farthest / options.threads);

  // Between two uses of a copy lie as many walks as there are copies, and the
  // other operands of as many runs: those with fewer copies once each copy. So
  // the near ones are counted first.
  std::vector<size_t> order(operands.size());
  for (size_t n = 0; n < order.size(); ++n)
    order[n] = n;
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return replay.operands[a].distance < replay.operands[b].distance;
  });
  size_t once = 0, each = walked * options.threads + touched;
  for (size_t n : order) {
    Operand &operand = replay.operands[n];
    size_t rest = operand.distance > once ? operand.distance - once : 0;
    if (operand.distance > walked * options.threads && each > 0)
      operand.copies = std::max<size_t>(1, llvm::divideCeil(rest, each));
    each -= operand.bytes;
    once += operand.copies * operand.bytes;
  }
  // The nearest first: what is touched behind an operand is part of its
  // distance.
  size_t behind = 0, after = 0;
  for (size_t n : order) {
    Operand &operand = replay.operands[n];
    if (operand.copies > 1)
      continue;
    size_t distance = std::min(operand.distance, walked * options.threads);
    after = std::max(after, distance > behind ? distance - behind : 0);
    behind += operand.bytes;
    replay.near.insert(replay.near.begin(), {n, after});
  }

  size_t total = 0;
  for (const Operand &operand : replay.operands)
    total += operand.copies * operand.stride;
  uint8_t *memory = copies.get(total);
  replay.walkShare = llvm::alignTo(farthest / options.threads, kPage);
  replay.walk = walks.get(replay.walkShare * options.threads);
  if (!memory || (replay.walkShare > 0 && !replay.walk))
    return std::nullopt;
  replay.walkAt.resize(options.threads);
  // The farthest first: what is copied last is the nearest in the end.
  for (size_t n : llvm::reverse(order)) {
    Operand &operand = replay.operands[n];
    operand.first = memory;
    for (size_t copy = 0; copy < operand.copies;
         ++copy, memory += operand.stride)
      std::memcpy(memory, operands[n].content, operand.bytes);
  }
  replay.addresses.resize(operands.size());
  return replay;
}

/// As much code as the first cache of instructions holds, which does nothing.
__attribute__((noinline)) static void walkCode() {
#if defined(__x86_64__)
  // 8,192 instructions of 8 bytes.
  asm volatile(".rept 8192\n\tnopl 0(%%rax, %%rax, 1)\n\t.byte "
               "0x0f,0x1f,0x00\n\t.endr" ::
                   :);
#elif defined(__aarch64__)
  asm volatile(".rept 16384\n\tnop\n\t.endr" :::);
#endif
}

/// Reads `bytes` bytes of a ring, from `at` on.
static void walkThrough(const uint8_t *ring, size_t size, size_t &at,
                        size_t bytes) {
  uint8_t sum = 0;
  for (size_t done = 0; done < bytes; done += kLine) {
    sum += ring[at];
    at = at + kLine < size ? at + kLine : 0;
  }
  volatile uint8_t sink = sum;
  (void)sink;
}

/// Leaves the lines as whoever wrote them would: present and changed.
static void touchLines(uint8_t *first, size_t bytes) {
  for (size_t at = 0; at < bytes; at += kLine) {
    volatile uint8_t *line = first + at;
    *line = *line;
  }
}

void CacheReplay::replay(unsigned thread) {
  uint8_t *ring = walk + thread * walkShare;
  size_t left = options.walkBytes;
  auto walkTo = [&](size_t rest) {
    if (rest >= left)
      return;
    walkThrough(ring, walkShare, walkAt[thread], left - rest);
    left = rest;
  };
  for (auto [n, after] : near) {
    const Operand &operand = operands[n];
    walkTo(after / options.threads);
    // Teams divide what they make into stretches.
    size_t lines = llvm::divideCeil(operand.bytes, kLine);
    size_t begin = lines * thread / options.threads * kLine;
    size_t end =
        std::min(operand.bytes, lines * (thread + 1) / options.threads * kLine);
    if (begin < end)
      touchLines(operand.first + begin, end - begin);
  }
  walkTo(0);
  walkCode();
}

llvm::ArrayRef<void *> CacheReplay::next() {
  for (auto [operand, address] : llvm::zip_equal(operands, addresses)) {
    address = operand.first + operand.turn * operand.stride;
    operand.turn = operand.turn + 1 < operand.copies ? operand.turn + 1 : 0;
  }
  if (options.threads > 1)
    options.team([&](unsigned thread) { replay(thread); });
  else
    replay(0);
  return addresses;
}
