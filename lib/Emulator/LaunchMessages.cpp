//===- LaunchMessages.cpp - messages about errors of a launch -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::emulator;

void Launch::fail(std::string message) {
  error = std::move(message);
  failed = true;
  fibers->suspend(running);
  llvm_unreachable("a failed thread is not resumed");
}

std::string Launch::describeAddress(uint64_t address) const {
  for (const SharedBuffer &buffer : buffers) {
    auto begin = reinterpret_cast<uint64_t>(buffer.begin);
    if (address >= begin && address < begin + buffer.info->bytes)
      return llvm::formatv("byte {0} of {1}", address - begin,
                           buffer.info->description);
  }
  return llvm::formatv("address {0:x}", address);
}

std::string Launch::describeThread(unsigned thread) const {
  return llvm::formatv("thread ({0}, {1}, {2})", thread % block.x,
                       thread / block.x % block.y,
                       thread / (block.x * block.y));
}

std::string Launch::describeBlock(uint64_t index) const {
  return llvm::formatv("block ({0}, {1}, {2})", index % grid.x,
                       index / grid.x % grid.y, index / (grid.x * grid.y));
}

uint64_t Launch::blockOfEpoch(uint32_t epoch) const {
  return llvm::upper_bound(firstEpochs, epoch) - firstEpochs.begin() - 1;
}

std::string Launch::describeAccess(Access access) const {
  return llvm::formatv(
      "{0} by {1} of {2}", kernel.sites[access.site].description,
      describeThread(access.thread), describeBlock(blockOfEpoch(access.epoch)));
}

std::string Launch::describeHere(unsigned site) const {
  return describeAccess({epoch, uint16_t(running), uint16_t(site)});
}

std::string Launch::describeElement(const SharedBuffer &buffer,
                                    uint64_t element) const {
  std::string indices;
  const auto &shape = buffer.info->shape;
  for (unsigned dim = shape.size(); dim-- > 0;) {
    uint64_t index = dim ? element % shape[dim] : element;
    indices = std::to_string(index) + (indices.empty() ? "" : ", ") + indices;
    element /= shape[dim];
  }
  if (shape.empty())
    indices = std::to_string(element);
  return llvm::formatv("element [{0}] of {1}", indices,
                       buffer.info->description);
}

void Launch::failAlignment(unsigned site, const char *verb, uint64_t address,
                           uint64_t alignment) {
  fail(llvm::formatv("{0} {1} {2}, which is not a multiple of {3} bytes",
                     describeHere(site), verb, describeAddress(address),
                     alignment));
}

void Launch::failConflict(const SharedBuffer &buffer, Conflict conflict) {
  std::string element = describeElement(buffer, conflict.element);
  if (conflict.pendingCopy)
    fail(llvm::formatv("{0} accesses {1} before a wait for {2}",
                       describeAccess(conflict.later), element,
                       describeAccess(conflict.earlier)));
  bool sameBlock = blockOfEpoch(conflict.earlier.epoch) ==
                   blockOfEpoch(conflict.later.epoch);
  fail(llvm::formatv("data race on {0}: {1} and {2}{3}", element,
                     describeAccess(conflict.earlier),
                     describeAccess(conflict.later),
                     sameBlock ? " with no gpu.barrier between them"
                               : "; blocks are unordered"));
}

/// Lists the positions of the threads of the block, one group for each
/// position.
void Launch::reportDivergence() {
  struct Group {
    std::string where;
    unsigned count, first;
  };
  std::vector<Group> groups;
  bool atShuffle = false;
  for (unsigned n = 0; n != threads.size(); ++n) {
    const Thread &thread = threads[n];
    atShuffle |= thread.state == State::AtShuffle;
    std::string where = thread.state == State::Done
                            ? std::string("at the end")
                            : "at " + kernel.sites[thread.site].description;
    auto group = llvm::find_if(
        groups, [&](const Group &other) { return other.where == where; });
    if (group == groups.end())
      groups.push_back({where, 1, n});
    else
      ++group->count;
  }
  error = llvm::formatv(
      "threads of {0} diverge at a {1}:", describeBlock(report.blocks - 1),
      atShuffle ? "warp-wide op" : "barrier");
  for (const Group &group : groups)
    error += llvm::formatv("{0} {1} {2}, first {3}",
                           &group == &groups.front() ? "" : ";", group.count,
                           group.where, describeThread(group.first));
  failed = true;
}
