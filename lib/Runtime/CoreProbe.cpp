//===- CoreProbe.cpp - measured costs of one core -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/CoreProbe.h"

#include "Probe.h"
#include "VectorProbes.h"

#include <numeric>
#include <vector>

using namespace pruner;

/// 16 additions per round, each of the previous sum. The operand is not a
/// constant, because some cores rename such sums instead of computing them.
static void addUp(int64_t rounds) {
  uint64_t sum = 1, term = 3;
  asm volatile("" : "+r"(term));
  for (int64_t r = 0; r < rounds; ++r)
    for (int n = 0; n < 16; ++n) {
      sum += term;
      asm volatile("" : "+r"(sum)); // Otherwise it would become a constant.
    }
}

/// Accesses one element of a line of `data` per round. A multiplication spreads
/// the numbers of the rounds over the lines; a line has 16 floats.
static void touchLines(int64_t rounds, const std::vector<float> &data,
                       unsigned bits) {
  float sum = 0;
  for (int64_t r = 0; r < rounds; ++r)
    sum += data[(uint64_t(r) * 0x9e3779b97f4a7c15) >> (64 - bits) << 4];
  sink = sum;
}

/// Pages of 4 KiB, twice as many as the largest TLBs hold.
static constexpr unsigned kPageBits = 13;
static constexpr size_t kPageFloats = 1024;

/// The same with one line in each page. Lines at the same offset of their pages
/// would share a few sets of the caches.
static void touchPages(int64_t rounds, const std::vector<float> &data) {
  float sum = 0;
  for (int64_t r = 0; r < rounds; ++r)
    sum += data[((uint64_t(r) * 0x9e3779b97f4a7c15) >> (64 - kPageBits)) *
                (kPageFloats + 16)];
  sink = sum;
}

/// Loops per chunk, and chunks until they repeat. Branch predictors memorize
/// patterns of thousands of loops.
static constexpr size_t kLoops = 1024, kChunks = 256;

/// Random trip counts, 8 to 24, one for each loop.
static std::vector<uint8_t> unforeseenTrips() {
  std::vector<uint8_t> trips(kLoops * kChunks);
  uint64_t state = 1;
  for (uint8_t &count : trips) {
    state = state * 6364136223846793005 + 1442695040888963407;
    count = uint8_t(8 + (state >> 33) % 17);
  }
  return trips;
}

CoreProbe pruner::probeCore(size_t bytes, double seconds) {
  CoreProbe result;
  unsigned bits = 4;
  while ((size_t(128) << bits) <= bytes)
    ++bits;
  std::vector<float> lines(size_t(16) << bits, 1.0f);
  Probe cycle(addUp);
  Probe line([&](int64_t rounds) { touchLines(rounds, lines, bits); });
  std::vector<float> pages((kPageFloats + 16) << kPageBits, 1.0f);
  Probe page([&](int64_t rounds) { touchPages(rounds, pages); });
  const VectorProbes &v = vectorProbes();
  if (!v.fused) {
    interleave({&cycle, &line, &page}, seconds);
    result.cycle = cycle.seconds() / 16;
    result.line = line.seconds();
    result.page = page.seconds();
    return result;
  }
  std::vector<float> memory((8 + 8 * kTiles + 1) * 16, 1.0f);
  // Vectors that straddle lines would count twice.
  float *data = reinterpret_cast<float *>(
      (reinterpret_cast<uintptr_t>(memory.data()) + 63) & ~uintptr_t(63));
  std::vector<uint8_t> brief = unforeseenTrips(), lengthy(64, 250);
  size_t next = 0;
  Probe chain([&](int64_t rounds) { sink = v.chain(rounds, scaleSource); });
  Probe load([&](int64_t rounds) { v.load(rounds, data); });
  Probe store([&](int64_t rounds) { v.store(rounds, data); });
  Probe lengthyLoops([&](int64_t rounds) {
    for (int64_t r = 0; r < rounds; ++r)
      v.reduce(lengthy, data, scaleSource);
  });
  Probe briefLoops([&](int64_t rounds) {
    for (int64_t r = 0; r < rounds; ++r, next = (next + 1) % kChunks)
      v.reduce(llvm::ArrayRef(brief).slice(next * kLoops, kLoops), data,
               scaleSource);
  });
  interleave(
      {&cycle, &line, &page, &chain, &load, &store, &briefLoops, &lengthyLoops},
      seconds);
  result.cycle = cycle.seconds() / 16;
  result.line = line.seconds();
  result.page = page.seconds();
  result.fma = chain.seconds() / 16;
  result.load = load.seconds() / 16;
  result.store = store.seconds() / 16;
  // Subtract the time of the steps, as measured with long loops.
  double step = lengthyLoops.seconds() / (250.0 * double(lengthy.size()));
  double steps =
      std::accumulate(brief.begin(), brief.end(), 0.0) / double(brief.size());
  double moved = 8 * (result.load + result.store);
  double restart = briefLoops.seconds() / double(kLoops) - step * steps - moved;
  // There is no gap if the core starts the next loop before it has computed
  // that this one has ended.
  result.restart = std::max(restart, result.cycle);
  return result;
}
