//===- Shadow.cpp - access history of memory elements ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shadow.h"

#include <algorithm>

using namespace pruner::emulator;

Shadow::Shadow(uint64_t bytes, uint64_t elementBytes, bool acrossBlocks)
    : cells((bytes + elementBytes - 1) / elementBytes),
      elementBytes(elementBytes), acrossBlocks(acrossBlocks) {}

std::optional<Conflict> Shadow::touch(llvm::ArrayRef<Site> sites, Cell &cell,
                                      Access access, AccessKind kind,
                                      uint32_t firstEpoch) const {
  uint64_t element = &cell - cells.data();
  if (cell.copy.epoch)
    return Conflict{element, cell.copy, access, /*pendingCopy=*/true};

  // Not ordered with `access`: another thread since the last barrier or, if the
  // buffer outlives blocks, any thread of another block.
  auto races = [&](Access other) {
    if (!other.epoch)
      return false;
    if (kind == AccessKind::Atomic &&
        sites[other.site].kind == AccessKind::Atomic)
      return false;
    if (other.epoch == access.epoch)
      return other.thread != access.thread;
    return acrossBlocks && other.epoch < firstEpoch;
  };
  if (races(cell.write))
    return Conflict{element, cell.write, access};

  if (kind == AccessKind::Read) {
    if (!cell.firstRead.epoch)
      cell.firstRead = access;
    if (cell.read.epoch != access.epoch)
      cell.read = access;
    else if (cell.read.thread != access.thread)
      cell.otherRead = access;
    return std::nullopt;
  }
  for (Access reader : {cell.firstRead, cell.read, cell.otherRead})
    if (races(reader))
      return Conflict{element, reader, access};
  cell.write = access;
  return std::nullopt;
}

std::optional<Conflict> Shadow::access(llvm::ArrayRef<Site> sites,
                                       Access access, AccessKind kind,
                                       uint64_t offset, uint64_t bytes,
                                       uint64_t siteElementBytes, uint64_t mask,
                                       uint32_t firstEpoch) {
  // Lanes of an access and elements of the buffer differ in size only if a view
  // changed the type. Elements are then visited through bytes.
  for (uint64_t lane = 0, at = 0; at < bytes; ++lane, at += siteElementBytes) {
    if (lane < 64 && !(mask >> lane & 1))
      continue;
    uint64_t first = (offset + at) / elementBytes;
    uint64_t last = (offset + at + siteElementBytes - 1) / elementBytes;
    for (uint64_t cell = first; cell <= last; ++cell)
      if (auto conflict = touch(sites, cells[cell], access, kind, firstEpoch))
        return conflict;
  }
  return std::nullopt;
}

void Shadow::beginCopy(Access copy, uint64_t offset, uint64_t bytes) {
  if (bytes)
    for (uint64_t cell = offset / elementBytes;
         cell <= (offset + bytes - 1) / elementBytes; ++cell)
      cells[cell].copy = copy;
}

void Shadow::endCopy(uint64_t offset, uint64_t bytes) {
  beginCopy(Access(), offset, bytes);
}

void Shadow::forgetCopies() {
  for (Cell &cell : cells)
    cell.copy = Access();
}
