//===- Counts.cpp - counts of a PTX kernel --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Ptx/Counts.h"

#include "Execution.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner::ptx;

StringRef pruner::ptx::pipeName(Pipe pipe) {
  static const char *const names[kNumPipes] = {
      "fma", "alu", "half", "fp64", "xu", "lsu", "control", "tensor"};
  return names[unsigned(pipe)];
}

/// Lanes that the hardware serves together.
static unsigned groupSize(unsigned bytes) {
  return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
}

unsigned pruner::ptx::countWavefronts(const uint64_t *addresses, uint32_t lanes,
                                      unsigned bytes) {
  unsigned total = 0, size = groupSize(bytes);
  for (unsigned first = 0; first != kWarpSize; first += size) {
    // The different words of each bank.
    uint64_t words[32][32];
    unsigned count[32] = {}, largest = 0;
    uint32_t group = lanes >> first;
    if (size != 32)
      group &= (1u << size) - 1;
    forLanes(group, [&](unsigned lane) {
      uint64_t begin = addresses[first + lane];
      for (uint64_t word = begin / 4; word * 4 < begin + bytes; ++word) {
        unsigned bank = word % 32;
        if (is_contained(ArrayRef<uint64_t>(words[bank], count[bank]), word))
          continue;
        words[bank][count[bank]++] = word;
        largest = std::max(largest, count[bank]);
      }
    });
    total += largest;
  }
  return total;
}

unsigned pruner::ptx::countIdealWavefronts(uint32_t lanes, unsigned bytes) {
  unsigned total = 0, size = groupSize(bytes);
  for (unsigned first = 0; first != kWarpSize; first += size)
    total += ((lanes >> first) & (size == 32 ? ~0u : (1u << size) - 1)) != 0;
  return total;
}

unsigned pruner::ptx::countSectors(const uint64_t *addresses, uint32_t lanes,
                                   unsigned bytes) {
  SmallVector<uint64_t, 64> sectors;
  forLanes(lanes, [&](unsigned lane) {
    uint64_t first = addresses[lane] / 32,
             last = (addresses[lane] + bytes - 1) / 32;
    for (uint64_t sector = first; sector <= last; ++sector)
      if (sectors.empty() || sectors.back() != sector)
        sectors.push_back(sector);
  });
  llvm::sort(sectors);
  return llvm::unique(sectors) - sectors.begin();
}

Executions &Executions::operator+=(const Executions &other) {
  warps += other.warps;
  threads += other.threads;
  return *this;
}

MemoryCounts &MemoryCounts::operator+=(const MemoryCounts &other) {
  requests += other.requests;
  bytes += other.bytes;
  wavefronts += other.wavefronts;
  idealWavefronts += other.idealWavefronts;
  sectors += other.sectors;
  return *this;
}

void Counts::addLaunch(const Counts &other) {
  blocks += other.blocks;
  threads += other.threads;
  steps += other.steps;
  executed += other.executed;
  for (auto [to, from] : zip(executedPipes, other.executedPipes))
    to += from;
  for (const auto &[name, from] : other.executedOpcodes)
    executedOpcodes[name] += from;
  sharedLoads += other.sharedLoads;
  sharedStores += other.sharedStores;
  asyncCopies += other.asyncCopies;
  globalLoads += other.globalLoads;
  globalStores += other.globalStores;
  barriers += other.barriers;
  shuffles += other.shuffles;
}

static json::Object toJSON(const Executions &executions) {
  return json::Object{{"warps", executions.warps},
                      {"threads", executions.threads}};
}

static json::Object toJSON(const MemoryCounts &counts) {
  json::Object object{{"requests", counts.requests}, {"bytes", counts.bytes}};
  if (counts.idealWavefronts) {
    object["wavefronts"] = counts.wavefronts;
    object["ideal_wavefronts"] = counts.idealWavefronts;
  }
  if (counts.sectors)
    object["sectors"] = counts.sectors;
  return object;
}

json::Object pruner::ptx::toJSON(const Counts &counts) {
  json::Object pipes, opcodes, executedPipes, executedOpcodes;
  for (unsigned n = 0; n != kNumPipes; ++n) {
    StringRef name = pipeName(Pipe(n));
    if (!counts.pipes[n])
      continue;
    pipes[name] = counts.pipes[n];
    executedPipes[name] = ::toJSON(counts.executedPipes[n]);
  }
  for (const auto &[name, count] : counts.opcodes)
    opcodes[name] = count;
  for (const auto &[name, executions] : counts.executedOpcodes)
    if (executions.warps)
      executedOpcodes[name] = ::toJSON(executions);
  return json::Object{
      {"static", json::Object{{"instructions", counts.instructions},
                              {"pipes", std::move(pipes)},
                              {"opcodes", std::move(opcodes)},
                              {"shared_bytes", counts.sharedBytes},
                              {"local_bytes", counts.localBytes}}},
      {"dynamic", json::Object{{"blocks", counts.blocks},
                               {"threads", counts.threads},
                               {"instructions", ::toJSON(counts.executed)},
                               {"pipes", std::move(executedPipes)},
                               {"opcodes", std::move(executedOpcodes)},
                               {"shared_loads", ::toJSON(counts.sharedLoads)},
                               {"shared_stores", ::toJSON(counts.sharedStores)},
                               {"async_copies", ::toJSON(counts.asyncCopies)},
                               {"global_loads", ::toJSON(counts.globalLoads)},
                               {"global_stores", ::toJSON(counts.globalStores)},
                               {"barriers", counts.barriers},
                               {"shuffles", counts.shuffles}}}};
}
