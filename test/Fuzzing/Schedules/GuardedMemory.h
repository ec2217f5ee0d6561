//===- GuardedMemory.h - memory between guard pages -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_SCHEDULES_GUARDEDMEMORY_H
#define PRUNER_FUZZING_SCHEDULES_GUARDEDMEMORY_H

#include "Fuzzing/Schedules/Differential.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace pruner {

/// Memory for one argument between two inaccessible pages.
class DifferentialTask::Memory {
public:
  explicit Memory(size_t bytes) : bytes(bytes) {
    size_t page = sysconf(_SC_PAGESIZE);
    room = (bytes + page - 1) / page * page;
    mapped = room + 2 * page;
    void *address = mmap(nullptr, mapped, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED)
      return;
    mapping = static_cast<uint8_t *>(address);
    if (room == 0 ||
        mprotect(mapping + page, room, PROT_READ | PROT_WRITE) == 0)
      first = mapping + page;
  }
  Memory(Memory &&other) noexcept { *this = std::move(other); }
  Memory &operator=(Memory &&other) noexcept {
    std::swap(mapping, other.mapping);
    std::swap(first, other.first);
    std::swap(bytes, other.bytes);
    std::swap(room, other.room);
    std::swap(mapped, other.mapped);
    return *this;
  }
  ~Memory() {
    if (mapping)
      munmap(mapping, mapped);
  }

  bool valid() const { return first; }
  size_t size() const { return bytes; }

  /// Moves the data to either end and fills everything with poison: a NaN in
  /// all floating-point types.
  uint8_t *place(bool atEnd, unsigned alignment) {
    size_t offset = atEnd ? room - bytes : 0;
    if (alignment > 1)
      offset = offset / alignment * alignment;
    std::memset(first, 0xFF, room);
    return data = first + offset;
  }

  /// Whether all memory around the data still holds poison.
  bool surroundingsIntact() const {
    auto poisoned = [](uint8_t byte) { return byte == 0xFF; };
    return std::all_of(first, data, poisoned) &&
           std::all_of(data + bytes, first + room, poisoned);
  }

  uint8_t *data = nullptr;

private:
  uint8_t *mapping = nullptr, *first = nullptr;
  size_t bytes = 0, room = 0, mapped = 0;
};

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_GUARDEDMEMORY_H
