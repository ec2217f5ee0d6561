//===- Copies.cpp - cp.async ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies belong to the thread that issues them. Its wait makes them visible to
// itself, a barrier after the wait to others. Before the wait no thread may
// access the destination (Warp::beginCopy).
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

using namespace pruner::ptx;

/// Op::immediate, immediate2: offsets of the addresses. The third source, if
/// any, is the number of bytes to read; the others become zero.
static void issue(Warp &warp, const Op &op, uint32_t active) {
  Slot to = warp.source(op, 0), from = warp.source(op, 1);
  for (unsigned n = 0; n != op.numSources; ++n)
    if (!warp.requireDefined(op, warp.source(op, n), active, "a copy"))
      return;
  unsigned bytes = op.elementBytes;
  uint64_t toAddresses[kWarpSize], fromAddresses[kWarpSize];
  warp.addresses(to, op.immediate, op.isShortAddress, toAddresses);
  warp.addresses(from, op.immediate2, /*isShort=*/false, fromAddresses);
  OpCounts &counts = warp.block.launch.counts[warp.opNumber(op)];
  ++counts.memory.requests;
  ++counts.source.requests;
  counts.memory.bytes += uint64_t(bytes) * llvm::popcount(active);
  counts.source.bytes += uint64_t(bytes) * llvm::popcount(active);
  counts.memory.wavefronts += countWavefronts(toAddresses, active, bytes);
  counts.memory.idealWavefronts += countIdealWavefronts(active, bytes);
  counts.source.sectors += countSectors(fromAddresses, active, bytes);
  for (uint32_t left = active; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    Copy copy{lane,
              warp.committed[lane],
              toAddresses[lane],
              fromAddresses[lane],
              bytes,
              bytes,
              warp.opNumber(op)};
    if (op.numSources > 2)
      copy.sourceBytes = warp.lanes<uint32_t>(warp.source(op, 2))[lane];
    if (copy.sourceBytes > bytes)
      return warp.fault(op, lane, Violation::OutOfBounds,
                        "a copy of " + llvm::Twine(bytes) +
                            " bytes cannot read " +
                            llvm::Twine(copy.sourceBytes));
    warp.beginCopy(copy);
    if (warp.block.launch.violation)
      return;
  }
}

static void commit(Warp &warp, const Op &op, uint32_t active) {
  forLanes(active, [&](unsigned lane) { ++warp.committed[lane]; });
}

/// Op::immediate: committed groups that may remain, or ~0 to wait for all
/// copies, committed or not.
static void wait(Warp &warp, const Op &op, uint32_t active) {
  for (uint32_t left = active; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    uint64_t committed = warp.committed[lane];
    uint64_t below = op.immediate == ~uint64_t(0) ? ~uint64_t(0)
                     : committed > op.immediate   ? committed - op.immediate
                                                  : 0;
    warp.finishCopies(op, lane, below);
  }
}

static void decodeCp(Decoder &d) {
  d.op.pipe = Pipe::Lsu;
  if (!d.take("async"))
    return d.fail("the instruction is not supported");
  d.op.tracksDefined = true;
  if (d.take("commit_group")) {
    d.op.execute = commit;
    return;
  }
  if (d.take("wait_all")) {
    d.op.execute = wait;
    d.op.immediate = ~uint64_t(0);
    return;
  }
  if (d.take("wait_group")) {
    d.op.execute = wait;
    d.op.immediate = d.constant("a number of groups");
    return;
  }
  bool isCg = d.take("cg");
  if (!isCg && !d.take("ca"))
    return d.fail("the instruction is not supported");
  if (d.takeOne({"shared", "shared::cta"}).empty() || !d.take("global"))
    return d.fail("expected '.shared.global'");
  d.takeOne({"L2::64B", "L2::128B", "L2::256B"});
  d.op.execute = issue;
  d.op.space = Space::Shared;
  d.op.immediate = d.address();
  d.op.immediate2 = d.address();
  uint64_t bytes = d.constant("a number of bytes");
  if (bytes != 16 && (isCg || (bytes != 4 && bytes != 8)))
    d.fail("copies have 4, 8 or 16 bytes");
  d.op.elementBytes = uint8_t(bytes);
  if (d.operandsLeft())
    d.source(kB32);
}

llvm::ArrayRef<InstructionClass> pruner::ptx::copyInstructions() {
  static const InstructionClass list[] = {{"cp", decodeCp}};
  return list;
}
