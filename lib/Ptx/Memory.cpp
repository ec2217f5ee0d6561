//===- Memory.cpp - checked accesses --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

using namespace llvm;
using namespace pruner::ptx;

/// The region of `regions` that contains `address`, or the nearest one.
static Region *findRegion(std::vector<Region> &regions, uint64_t address) {
  if (regions.empty())
    return nullptr;
  auto above =
      llvm::upper_bound(regions, address, [](uint64_t a, const Region &region) {
        return a < region.address;
      });
  if (above == regions.begin())
    return &*above;
  Region &below = *std::prev(above);
  // Gaps belong to the nearest region, for messages only.
  if (above != regions.end() && address >= below.address + below.bytes &&
      above->address - address < address - (below.address + below.bytes))
    return &*above;
  return &below;
}

static Space resolveSpace(Space space, uint64_t &address) {
  if (space != Space::Generic)
    return space;
  if (address & kGenericShared) {
    address &= ~kGenericShared;
    return Space::Shared;
  }
  if (address & kGenericLocal) {
    address &= ~kGenericLocal;
    return Space::Local;
  }
  return Space::Global;
}

/// Whether the access `stamp` happened before the current access of a thread.
static bool isOrdered(const Warp &warp, const Stamp &stamp, unsigned thread,
                      const Region &region) {
  if (stamp.clock == 0)
    return true;
  if (stamp.block != warp.block.number)
    return region.isOfBlock;
  return stamp.thread == thread ||
         stamp.clock < warp.clock[stamp.thread / kWarpSize];
}

namespace {
struct Conflict {
  const Stamp *stamp;
  const char *what;
};
} // namespace

static std::optional<Conflict> recordAccess(const Warp &warp, Region &region,
                                            Shadow &shadow, const Stamp &now,
                                            AccessKind kind,
                                            bool isNonCoherent) {
  unsigned thread = now.thread;
  bool writes = kind == AccessKind::Store || kind == AccessKind::Atomic;
  if (!(now.isStrong && shadow.writer.isStrong) &&
      !isOrdered(warp, shadow.writer, thread, region))
    return Conflict{&shadow.writer, "wrote"};
  if (isNonCoherent && shadow.writer.clock != 0)
    return Conflict{&shadow.writer, "wrote (ld.global.nc needs constant data)"};
  if (writes) {
    for (const Stamp &reader : shadow.readers)
      if (!(now.isStrong && reader.isStrong) &&
          !isOrdered(warp, reader, thread, region))
        return Conflict{&reader, "read"};
    shadow.writer = now;
    return std::nullopt;
  }
  // Replace a read of the same thread, else one that is ordered.
  Stamp *replaced = &shadow.readers[1];
  for (Stamp &reader : shadow.readers)
    if (isOrdered(warp, reader, thread, region))
      replaced = &reader;
  for (Stamp &reader : shadow.readers)
    if (reader.clock && reader.thread == thread && reader.block == now.block)
      replaced = &reader;
  *replaced = now;
  return std::nullopt;
}

static std::string threadName(const Launch &launch, unsigned thread) {
  auto [x, y, z] = launch.options.block;
  return ("(" + Twine(thread % x) + ", " + Twine(thread / x % y) + ", " +
          Twine(thread / x / y) + ")")
      .str();
}

static std::string blockName(const Launch &launch, uint32_t number) {
  auto [x, y, z] = launch.options.grid;
  return ("(" + Twine(number % x) + ", " + Twine(number / x % y) + ", " +
          Twine(number / x / y) + ")")
      .str();
}

static unsigned lineOf(const Launch &launch, uint32_t op) {
  const auto &instructions = launch.code.kernel->instructions;
  return op < instructions.size() ? instructions[op].location.line : 0;
}

void Warp::fault(const Op &op, unsigned lane, Violation violation,
                 const Twine &what) {
  Launch &launch = block.launch;
  if (launch.violation)
    return;
  uint32_t number = opNumber(op);
  unsigned line = lineOf(launch, number);
  const auto &instructions = launch.code.kernel->instructions;
  StringRef name = number < instructions.size() ? instructions[number].name
                                                : StringRef("end");
  launch.violation.emplace(violation, line,
                           ("line " + Twine(line) + ": " + name + ": thread " +
                            threadName(launch, thread(lane)) + " of block " +
                            blockName(launch, block.number) + ": " + what)
                               .str());
}

void Launch::fault(Violation kind, const Twine &what) {
  if (!violation)
    violation.emplace(kind, 0, what.str());
}

bool Warp::requireDefined(const Op &op, Slot slot, uint32_t lanes,
                          const char *what) {
  uint32_t undefined = lanes & ~defined[slot.index];
  if (!undefined)
    return true;
  fault(op, __builtin_ctz(undefined), Violation::Undefined,
        Twine(what) + " depends on a value that was never written");
  return false;
}

uint8_t *Warp::access(const Op &op, unsigned lane, Space space,
                      uint64_t address, unsigned bytes, AccessKind kind,
                      Region *&region) {
  Launch &launch = block.launch;
  space = resolveSpace(space, address);
  region = nullptr;
  if (space == Space::Shared) {
    region = findRegion(block.shared, address);
  } else if (space == Space::Local) {
    region = findRegion(block.local[thread(lane)], address);
  } else {
    uint64_t number = address / kBufferStride;
    if (number < launch.buffers.size())
      region = &launch.buffers[number];
  }
  uint64_t offset = region ? address - region->address : 0;
  bool isInside = region && region->data && offset <= region->bytes &&
                  region->bytes - offset >= bytes;
  bool endsBehind = !isInside && region && region->data &&
                    offset < region->bytes && kind == AccessKind::Load &&
                    address % bytes == 0 && !launch.options.checkWideLoads;
  if (!isInside && !endsBehind) {
    std::string where =
        region && region->data
            ? ("offset " + Twine(int64_t(offset)) + " of '" + region->name +
               "', which has " + Twine(region->bytes) + " bytes")
                  .str()
            : ("address 0x" + Twine::utohexstr(address) +
               ", which is in no buffer")
                  .str();
    fault(op, lane, Violation::OutOfBounds,
          Twine(bytes) + " bytes at " + where);
    return nullptr;
  }
  if (address % bytes != 0) {
    fault(op, lane, Violation::Misaligned,
          Twine(bytes) + " bytes at offset " + Twine(offset) + " of '" +
              region->name + "' are not aligned");
    return nullptr;
  }
  bool writes = kind == AccessKind::Store || kind == AccessKind::Atomic;
  if (writes && region->isReadOnly) {
    fault(op, lane, Violation::ReadOnly, "'" + region->name + "' is read-only");
    return nullptr;
  }
  if (!region->shadow.empty()) {
    Stamp now{clock[index], block.number, opNumber(op), uint16_t(thread(lane)),
              op.isStrong};
    for (uint64_t at = offset / region->granule;
         at * region->granule < std::min(offset + bytes, region->bytes); ++at) {
      Shadow &shadow = region->shadow[at];
      if (shadow.pendingThread) {
        fault(op, lane, Violation::PendingCopy,
              "offset " + Twine(at * region->granule) + " of '" + region->name +
                  "' is the destination of an asynchronous copy of thread " +
                  threadName(launch, shadow.pendingThread - 1) +
                  " that was not waited for");
        return nullptr;
      }
      if (auto conflict = recordAccess(*this, *region, shadow, now, kind,
                                       op.isNonCoherent)) {
        fault(op, lane, Violation::Race,
              "race: thread " + threadName(launch, conflict->stamp->thread) +
                  " of block " + blockName(launch, conflict->stamp->block) +
                  " " + conflict->what + " offset " +
                  Twine(at * region->granule) + " of '" + region->name +
                  "' in line " + Twine(lineOf(launch, conflict->stamp->op)));
        return nullptr;
      }
    }
  }
  if (endsBehind)
    return loadAcrossEnd(*region, offset, bytes, region);
  return region->data + offset;
}

uint8_t *Warp::loadAcrossEnd(const Region &region, uint64_t offset,
                             unsigned bytes, Region *&result) {
  for (unsigned n = 0; n != bytes; ++n) {
    bool isInside = offset + n < region.bytes;
    edgeData[n] = isInside ? region.data[offset + n] : 0xff;
    edgeDefined[n] =
        isInside && (!region.defined || region.defined[offset + n]);
  }
  edge.data = edgeData.data();
  edge.defined = edgeDefined.data();
  result = &edge;
  return edge.data;
}

static void transfer(Warp &warp, const Op &op, const Copy &copy, uint8_t *data,
                     Region &to) {
  std::memset(data, 0, copy.bytes);
  uint8_t *defined = to.defined ? to.defined + (data - to.data) : nullptr;
  if (defined)
    std::memset(defined, 1, copy.bytes);
  if (copy.sourceBytes == 0)
    return;
  // Copies of fewer bytes need the alignment of a whole one.
  if (copy.from % copy.bytes != 0) {
    warp.fault(op, copy.lane, Violation::Misaligned,
               "the source of " + Twine(copy.bytes) + " bytes is not aligned");
    return;
  }
  for (unsigned n = 0; n != copy.sourceBytes; ++n) {
    Region *from;
    const uint8_t *source =
        warp.access(op, copy.lane, Space::Global, copy.from + n, 1,
                    AccessKind::CopySource, from);
    if (!source)
      return;
    data[n] = *source;
    if (defined && from->defined)
      defined[n] = from->defined[source - from->data];
  }
  return;
}

/// Copies are writes of their thread at the time of the wait. Until then any
/// access to the destination is a violation.
void Warp::beginCopy(const Copy &copy) {
  const Op &op = block.code.ops[copy.op];
  Region *to;
  uint8_t *data = access(op, copy.lane, Space::Shared, copy.to, copy.bytes,
                         AccessKind::Store, to);
  if (!data)
    return;
  uint64_t offset = data - to->data;
  for (uint64_t at = offset / to->granule;
       at * to->granule < offset + copy.bytes; ++at)
    to->shadow[at].pendingThread = thread(copy.lane) + 1;
  // The contents before the end of the copy must not matter.
  std::memset(data, 0xff, copy.bytes);
  copies.push_back(copy);
  if (block.launch.options.copies == CopyTiming::AtIssue)
    transfer(*this, op, copy, data, *to);
}

void Warp::finishCopies(const Op &op, unsigned lane, uint64_t group) {
  size_t kept = 0;
  for (const Copy &copy : copies) {
    if (copy.lane != lane || copy.group >= group) {
      copies[kept++] = copy;
      continue;
    }
    Region *to = findRegion(block.shared, copy.to);
    uint64_t offset = copy.to - to->address;
    Stamp now{clock[index], block.number, copy.op, uint16_t(thread(lane)),
              false};
    for (uint64_t at = offset / to->granule;
         at * to->granule < offset + copy.bytes; ++at) {
      to->shadow[at].pendingThread = 0;
      to->shadow[at].writer = now;
    }
    if (block.launch.options.copies == CopyTiming::AtWait)
      transfer(*this, block.code.ops[copy.op], copy, to->data + offset, *to);
  }
  copies.resize(kept);
}
