//===- GuardedBuffer.cpp - memory that detects stray accesses -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/GuardedBuffer.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace pruner;

/// Unlike poison, zero and small numbers at every byte position.
static constexpr uint8_t redzoneByte = 0xB6;

/// Pages of each fence, more than a tile of vectors can exceed an end by.
static constexpr size_t fencePages = 4;

std::optional<GuardedBuffer> GuardedBuffer::allocate(size_t bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (bytes > SIZE_MAX / 2)
    return std::nullopt;
  size_t padded = (bytes + alignment - 1) / alignment * alignment;
  // At least one alignment unit of redzone precedes the data.
  size_t inner = (padded + alignment + page - 1) / page * page;
  size_t fence = fencePages * page;
  size_t mapped = inner + 2 * fence;
  void *memory =
      mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return std::nullopt;
  GuardedBuffer buffer;
  buffer.mapping = static_cast<uint8_t *>(memory);
  buffer.mapped = mapped;
  buffer.lower = buffer.mapping + fence;
  buffer.upper = buffer.lower + inner;
  buffer.begin = buffer.upper - padded;
  buffer.bytes = bytes;
  if (mprotect(buffer.lower, inner, PROT_READ | PROT_WRITE) != 0)
    return std::nullopt;
  std::memset(buffer.lower, redzoneByte, inner);
  buffer.poison();
  return buffer;
}

GuardedBuffer::GuardedBuffer(GuardedBuffer &&other) noexcept {
  *this = std::move(other);
}

GuardedBuffer &GuardedBuffer::operator=(GuardedBuffer &&other) noexcept {
  if (this != &other) {
    release();
    mapping = std::exchange(other.mapping, nullptr);
    mapped = std::exchange(other.mapped, 0);
    begin = std::exchange(other.begin, nullptr);
    bytes = std::exchange(other.bytes, 0);
    lower = std::exchange(other.lower, nullptr);
    upper = std::exchange(other.upper, nullptr);
    isOpen = std::exchange(other.isOpen, false);
  }
  return *this;
}

GuardedBuffer::~GuardedBuffer() { release(); }

void GuardedBuffer::release() {
  if (mapping)
    munmap(mapping, mapped);
  mapping = nullptr;
}

void GuardedBuffer::poison() {
  if (bytes)
    std::memset(begin, poisonByte, bytes);
}

size_t GuardedBuffer::poisonedBytes() const {
  size_t count = 0;
  const uint8_t poisonWord[4] = {poisonByte, poisonByte, poisonByte,
                                 poisonByte};
  for (size_t i = 0; i + 4 <= bytes; i += 4)
    if (std::memcmp(begin + i, poisonWord, 4) == 0)
      count += 4;
  return count;
}

std::optional<std::string> GuardedBuffer::damage() const {
  auto describe = [&](const uint8_t *at) {
    return "byte " + std::to_string(at - begin) + " of a buffer of " +
           std::to_string(bytes) + " bytes was overwritten";
  };
  // Backwards, because an overwritten byte is most likely next to the data.
  for (const uint8_t *at = begin; at > first(); --at)
    if (at[-1] != redzoneByte)
      return describe(at - 1);
  for (const uint8_t *at = begin + bytes; at < last(); ++at)
    if (*at != redzoneByte)
      return describe(at);
  return std::nullopt;
}

uint8_t *GuardedBuffer::first() const { return isOpen ? mapping : lower; }

uint8_t *GuardedBuffer::last() const {
  return isOpen ? mapping + mapped : upper;
}

/// Sets the protection of the fences. Returns false if that fails.
bool GuardedBuffer::protectFences(int protection) {
  return mprotect(mapping, size_t(lower - mapping), protection) == 0 &&
         mprotect(upper, size_t(mapping + mapped - upper), protection) == 0;
}

void GuardedBuffer::open() {
  if (isOpen || !mapping)
    return;
  isOpen = protectFences(PROT_READ | PROT_WRITE);
  if (!isOpen) {
    protectFences(PROT_NONE);
    return;
  }
  std::memset(mapping, redzoneByte, size_t(lower - mapping));
  std::memset(upper, redzoneByte, size_t(last() - upper));
}

void GuardedBuffer::close() {
  if (isOpen)
    protectFences(PROT_NONE);
  isOpen = false;
}
