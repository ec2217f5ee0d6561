//===- Block.cpp - blocks and their barriers ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;
using namespace pruner::ptx;

Block::Block(Launch &launch, const DecodedKernel &code)
    : launch(launch), code(code) {
  const auto &extent = launch.options.block;
  numThreads = extent[0] * extent[1] * extent[2];
  uint64_t sharedBytes =
      code.sharedBytes + launch.options.dynamicSharedBytes - kSharedStart;
  sharedData.resize(sharedBytes);
  sharedDefined.resize(sharedBytes);
  for (const PlacedVariable &placed : code.shared) {
    Region region;
    region.address = placed.address;
    region.bytes = placed.variable->isDynamic
                       ? launch.options.dynamicSharedBytes
                       : placed.variable->bytes;
    region.data = sharedData.data() + (placed.address - kSharedStart);
    region.defined = sharedDefined.data() + (placed.address - kSharedStart);
    region.granule = code.sharedGranule;
    region.shadow.resize(divideCeil(region.bytes, region.granule));
    region.isOfBlock = true;
    region.name = placed.variable->name;
    shared.push_back(std::move(region));
  }
  local.resize(numThreads);
  localData.resize(numThreads * code.localBytes);
  localDefined.resize(localData.size());
  if (!code.local.empty())
    for (unsigned thread = 0; thread != numThreads; ++thread)
      for (const PlacedVariable &placed : code.local) {
        Region region;
        region.address = placed.address;
        region.bytes = placed.variable->bytes;
        uint64_t at = thread * code.localBytes + placed.address;
        region.data = localData.data() + at;
        region.defined = localDefined.data() + at;
        region.name = placed.variable->name;
        local[thread].push_back(std::move(region));
      }
  for (unsigned n = 0; n != divideCeil(numThreads, kWarpSize); ++n)
    warps.push_back(std::make_unique<Warp>(*this, n));
}

bool Block::run(uint32_t number, std::array<unsigned, 3> position) {
  this->number = number;
  this->position = position;
  // NaNs, in case that a check misses something.
  llvm::fill(sharedData, 0xff);
  llvm::fill(sharedDefined, 0);
  llvm::fill(localData, 0xff);
  llvm::fill(localDefined, 0);
  for (Region &region : shared)
    for (Shadow &shadow : region.shadow)
      shadow.pendingThread = 0;
  for (auto &warp : warps)
    warp->start();
  while (true) {
    bool done = true;
    for (auto &warp : warps) {
      if (!warp->run())
        return false;
      done &= warp->isDone();
    }
    if (done)
      return true;
    if (!releaseBarriers()) {
      reportDeadlock();
      return false;
    }
    if (launch.violation)
      return false;
  }
}

bool Block::releaseBarriers() {
  bool released = false;
  for (unsigned number = 0; number != 16; ++number) {
    unsigned arrived = 0, expected = numThreads;
    std::optional<uint32_t> pc;
    SmallVector<Warp *> participants;
    for (auto &warp : warps)
      for (const Fragment &fragment : warp->fragments) {
        if (fragment.state != Fragment::AtBarrier || fragment.barrier != number)
          continue;
        const Op &op = code.ops[fragment.pc];
        unsigned first = __builtin_ctz(fragment.lanes);
        unsigned count = numThreads;
        if (op.numSources > 1)
          count = warp->lanes<uint32_t>(warp->source(op, 1))[first];
        if (pc && (*pc != fragment.pc || count != expected)) {
          warp->fault(op, first, Violation::Barrier,
                      "other threads wait at barrier " + Twine(number) +
                          " in line " +
                          Twine(code.kernel->instructions[*pc].location.line));
          return false;
        }
        pc = fragment.pc;
        expected = count;
        arrived += popcount(fragment.lanes);
        if (participants.empty() || participants.back() != warp.get())
          participants.push_back(warp.get());
      }
    if (!pc || arrived < expected)
      continue;
    if (arrived > expected) {
      participants[0]->fault(code.ops[*pc], 0, Violation::Barrier,
                             Twine(arrived) + " threads wait, expected " +
                                 Twine(expected));
      return false;
    }
    // Accesses of each thread before the barrier precede accesses of all
    // threads after it.
    std::vector<uint32_t> joined(warps.size());
    for (Warp *warp : participants)
      for (auto [mine, theirs] : zip(joined, warp->clock))
        mine = std::max(mine, theirs);
    for (Warp *warp : participants) {
      for (auto [mine, theirs] : zip(warp->clock, joined))
        mine = theirs;
      for (Warp *other : participants)
        warp->clock[other->index] = joined[other->index] + 1;
      for (Fragment &fragment : warp->fragments)
        if (fragment.state == Fragment::AtBarrier &&
            fragment.barrier == number) {
          fragment.state = Fragment::Ready;
          ++fragment.pc;
        }
    }
    ++launch.barriers;
    released = true;
  }
  return released;
}

void Block::reportDeadlock() {
  unsigned waiting = 0, ended = 0;
  Warp *first = nullptr;
  for (auto &warp : warps) {
    ended += std::min(kWarpSize, numThreads - warp->index * kWarpSize) -
             popcount(warp->live);
    waiting += popcount(warp->live);
    if (warp->live && !first)
      first = warp.get();
  }
  const Fragment &fragment = first->fragments.front();
  first->fault(code.ops[fragment.pc], __builtin_ctz(fragment.lanes),
               ended ? Violation::Deadlock : Violation::Barrier,
               Twine(waiting) +
                   " threads wait at barriers that are not "
                   "complete; " +
                   Twine(ended) + " ended");
}
