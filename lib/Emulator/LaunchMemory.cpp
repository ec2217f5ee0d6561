//===- LaunchMemory.cpp - accesses and asynchronous copies ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace pruner;
using namespace pruner::emulator;

void pruner::emulator::poison(void *memory, uint64_t bytes,
                              uint64_t elementBytes) {
  // Little endian; also a NaN if its halves are read as f16 or bf16.
  static constexpr unsigned char two[] = {0xde, 0x7f},
                                 four[] = {0xad, 0xde, 0xc0, 0x7f},
                                 eight[] = {0xad, 0xde, 0xc0, 0x7f,
                                            0xad, 0xde, 0xf8, 0x7f};
  const unsigned char *pattern = elementBytes == 2   ? two
                                 : elementBytes == 8 ? eight
                                                     : four;
  uint64_t period = elementBytes == 2 ? 2 : elementBytes == 8 ? 8 : 4;
  auto *begin = static_cast<unsigned char *>(memory);
  for (uint64_t n = 0; n != bytes; ++n)
    begin[n] = pattern[n % period];
}

SharedBuffer *Launch::find(uint64_t address, uint64_t bytes) {
  for (SharedBuffer &buffer : buffers) {
    auto begin = reinterpret_cast<uint64_t>(buffer.begin);
    if (address >= begin && address + bytes <= begin + buffer.info->bytes)
      return &buffer;
  }
  return nullptr; // Private memory, with a pointer of any space.
}

void Launch::record(SharedBuffer &buffer, unsigned site, AccessKind kind,
                    uint64_t address, uint64_t bytes, uint64_t mask) {
  if (!buffer.shadow)
    return;
  ++(buffer.workgroup ? report.sharedAccesses : report.globalAccesses);
  Access access{epoch, uint16_t(running), uint16_t(site)};
  uint64_t offset = address - reinterpret_cast<uint64_t>(buffer.begin);
  if (auto conflict = buffer.shadow->access(
          kernel.sites, access, kind, offset, bytes,
          kernel.sites[site].elementBytes, mask, firstEpochs.back()))
    failConflict(buffer, *conflict);
}

void Launch::access(unsigned site, uint64_t address, uint64_t mask) {
  const Site &info = kernel.sites[site];
  if (options.checkBounds && address % info.alignment)
    failAlignment(site, "is at", address, info.alignment);
  uint64_t lanes = info.bytes / info.elementBytes;
  if (lanes < 64)
    mask &= (uint64_t(1) << lanes) - 1;
  if (!mask)
    return;
  uint64_t first = lanes <= 64 ? llvm::countr_zero(mask) : 0;
  uint64_t last = lanes <= 64 ? 64 - llvm::countl_zero(mask) : lanes;
  if (SharedBuffer *buffer = find(address + first * info.elementBytes,
                                  (last - first) * info.elementBytes))
    record(*buffer, site, info.kind, address, info.bytes, mask);
}

void Launch::outOfBounds(unsigned site, int64_t dimension, int64_t index,
                         int64_t count, int64_t extent) {
  std::string what = std::to_string(index);
  if (count > 1)
    what = "range " + what + " to " + std::to_string(index + count - 1);
  else
    what = "index " + what;
  fail(describeHere(site) + ": " + what + " is out of bounds for dimension " +
       std::to_string(dimension) + " of extent " + std::to_string(extent));
}

void Launch::asyncCopy(unsigned site, uint64_t destination, uint64_t source,
                       int64_t sourceElements) {
  const Site &info = kernel.sites[site];
  AsyncCopy copy{site, destination, source, info.bytes,
                 uint64_t(sourceElements) * info.elementBytes};
  if (sourceElements < 0 || copy.sourceBytes > copy.bytes)
    fail(describeHere(site) + " reads " + std::to_string(sourceElements) +
         " elements but writes " +
         std::to_string(info.bytes / info.elementBytes));
  if (options.checkBounds && destination % info.bytes)
    failAlignment(site, "writes to", destination, info.bytes);
  if (options.checkBounds && copy.sourceBytes && source % info.bytes)
    failAlignment(site, "reads from", source, info.bytes);
  ++report.asyncCopies;
  if (SharedBuffer *buffer = find(destination, info.bytes)) {
    // The write may happen at any time from here to the wait.
    record(*buffer, site, AccessKind::Write, destination, info.bytes, ~0ull);
    if (buffer->shadow)
      buffer->shadow->beginCopy(
          {epoch, uint16_t(running), uint16_t(site)},
          destination - reinterpret_cast<uint64_t>(buffer->begin), info.bytes);
  }
  poison(reinterpret_cast<void *>(destination), info.bytes, info.elementBytes);
  threads[running].copies.open.push_back(copy);
}

void Launch::asyncCommit() { threads[running].copies.commit(); }

void Launch::asyncWait(int64_t pendingGroups) {
  auto &groups = threads[running].copies.groups;
  while (int64_t(groups.size()) > pendingGroups) {
    for (const AsyncCopy &copy : groups.front())
      complete(copy);
    groups.pop_front();
  }
}

void Launch::complete(const AsyncCopy &copy) {
  if (copy.sourceBytes)
    if (SharedBuffer *buffer = find(copy.source, copy.sourceBytes))
      record(*buffer, copy.site, AccessKind::Read, copy.source,
             copy.sourceBytes, ~0ull);
  if (SharedBuffer *buffer = find(copy.destination, copy.bytes)) {
    if (buffer->shadow)
      buffer->shadow->endCopy(copy.destination -
                                  reinterpret_cast<uint64_t>(buffer->begin),
                              copy.bytes);
    record(*buffer, copy.site, AccessKind::Write, copy.destination, copy.bytes,
           ~0ull);
  }
  auto *destination = reinterpret_cast<char *>(copy.destination);
  std::memcpy(destination, reinterpret_cast<char *>(copy.source),
              copy.sourceBytes);
  std::memset(destination + copy.sourceBytes, 0, copy.bytes - copy.sourceBytes);
}
