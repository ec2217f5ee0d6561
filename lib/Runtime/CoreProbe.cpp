//===- CoreProbe.cpp - what one core costs, measured ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Runtime/CoreProbe.h"
#include "pruner/Runtime/Timer.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

using namespace pruner;

/// Tiles of accumulators that reduction loops take turns with.
static constexpr size_t kTiles = 16;

namespace {
/// The probes that need vectors, for one width. Each runs `rounds` rounds.
struct Variant {
  /// One chain of multiply-adds, 16 a round.
  float (*chain)(int64_t rounds, float scale);
  /// 16 loads, and stores, a round, from and to 16 vectors at `data`.
  void (*load)(int64_t rounds, float *data);
  void (*store)(int64_t rounds, float *data);
  /// A reduction loop for each of `trips`: eight accumulators, from one of the
  /// kTiles places that follow the eight vectors at `data`, and back, and in
  /// each step eight multiply-adds of those vectors.
  void (*reduce)(llvm::ArrayRef<uint8_t> trips, float *data, float scale);
};
} // namespace

// Whatever an empty `asm` is given must have been computed, and in a register;
// what it may change in memory must have been stored.
#define PRUNER_KEEP(VALUE, CONSTRAINT) asm volatile("" ::CONSTRAINT(VALUE))
#define PRUNER_FENCE() asm volatile("" ::: "memory")

#define PRUNER_PROBES(NAME, TARGET, VECTOR, LANES, CONSTRAINT, SET, LOAD,      \
                      STORE, MULADD)                                           \
  TARGET static float chain_##NAME(int64_t rounds, float scale) {              \
    VECTOR s = SET(scale), t = SET(1 - scale), x = SET(1);                     \
    for (int64_t r = 0; r < rounds; ++r) {                                     \
      _Pragma("GCC unroll 16") for (int c = 0; c < 16; ++c) x =                \
          MULADD(x, s, t);                                                     \
    }                                                                          \
    float out[LANES];                                                          \
    STORE(out, x);                                                             \
    return out[0];                                                             \
  }                                                                            \
  TARGET static void load_##NAME(int64_t rounds, float *data) {                \
    for (int64_t r = 0; r < rounds; ++r) {                                     \
      _Pragma("GCC unroll 16") for (int c = 0; c < 16; ++c) {                  \
        VECTOR x = LOAD(data + c * LANES);                                     \
        PRUNER_KEEP(x, CONSTRAINT);                                            \
      }                                                                        \
      PRUNER_FENCE();                                                          \
    }                                                                          \
  }                                                                            \
  TARGET static void store_##NAME(int64_t rounds, float *data) {               \
    VECTOR x = SET(1);                                                         \
    for (int64_t r = 0; r < rounds; ++r) {                                     \
      _Pragma("GCC unroll 16") for (int c = 0; c < 16; ++c)                    \
          STORE(data + c * LANES, x);                                          \
      PRUNER_FENCE();                                                          \
    }                                                                          \
  }                                                                            \
  TARGET static void reduce_##NAME(llvm::ArrayRef<uint8_t> trips, float *data, \
                                   float scale) {                              \
    VECTOR s = SET(scale);                                                     \
    size_t tile = 0;                                                           \
    for (uint8_t count : trips) {                                              \
      float *at = data + (8 + 8 * tile) * LANES;                               \
      tile = (tile + 1) % kTiles;                                              \
      VECTOR x[8];                                                             \
      _Pragma("GCC unroll 8") for (int c = 0; c < 8; ++c) x[c] =               \
          LOAD(at + c * LANES);                                                \
      for (int step = 0; step < count; ++step) {                               \
        _Pragma("GCC unroll 8") for (int c = 0; c < 8; ++c) x[c] =             \
            MULADD(LOAD(data + c * LANES), s, x[c]);                           \
        PRUNER_FENCE();                                                        \
      }                                                                        \
      _Pragma("GCC unroll 8") for (int c = 0; c < 8; ++c)                      \
          STORE(at + c * LANES, x[c]);                                         \
    }                                                                          \
  }                                                                            \
  constexpr Variant variant_##NAME = {chain_##NAME, load_##NAME, store_##NAME, \
                                      reduce_##NAME};

#if defined(__x86_64__)
PRUNER_PROBES(avx512f, __attribute__((target("avx512f"))), __m512, 16, "v",
              _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps,
              _mm512_fmadd_ps)
PRUNER_PROBES(avx2, __attribute__((target("avx2,fma"))), __m256, 8, "x",
              _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps,
              _mm256_fmadd_ps)

static const Variant *variant() {
  if (__builtin_cpu_supports("avx512f"))
    return &variant_avx512f;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return &variant_avx2;
  return nullptr;
}
#elif defined(__aarch64__)
#define PRUNER_NEON_FMA(a, b, c) vfmaq_f32(c, a, b)
PRUNER_PROBES(neon, , float32x4_t, 4, "w", vdupq_n_f32, vld1q_f32, vst1q_f32,
              PRUNER_NEON_FMA)
static const Variant *variant() { return &variant_neon; }
#else
static const Variant *variant() { return nullptr; }
#endif

/// Read through volatile so that no compiler may fold the work.
static volatile float scaleSource = 0.999f;
static volatile float sink;

namespace {
/// Something measured in chunks of many rounds.
class Probe {
public:
  explicit Probe(std::function<void(int64_t rounds)> run)
      : run(std::move(run)) {
    // Long against the clock's cost, short against a time slice.
    while ((best = timed()) < 50000 && rounds < (int64_t(1) << 40))
      rounds *= 2;
  }
  void chunk() { best = std::min(best, timed()); }
  /// The least that a round took.
  double seconds() const { return double(best) * 1e-9 / double(rounds); }

private:
  int64_t timed() {
    int64_t start = nowNanoseconds();
    run(rounds);
    return std::max<int64_t>(1, nowNanoseconds() - start);
  }

  std::function<void(int64_t rounds)> run;
  int64_t rounds = 1, best = 0;
};
} // namespace

/// Chunks of all probes in turns: a time at which the clock is low or the core
/// is shared meets all of them.
static void takeTurns(std::initializer_list<Probe *> probes, double seconds) {
  int64_t end = nowNanoseconds() + int64_t(seconds * 1e9);
  do
    for (Probe *probe : probes)
      probe->chunk();
  while (nowNanoseconds() < end);
}

/// 16 additions a round, each of the sum before. Not of a constant: some cores
/// rename such sums instead of computing them.
static void addUp(int64_t rounds) {
  uint64_t sum = 1, term = 3;
  asm volatile("" : "+r"(term));
  for (int64_t r = 0; r < rounds; ++r)
    for (int n = 0; n < 16; ++n) {
      sum += term;
      asm volatile("" : "+r"(sum)); // Or it would become one.
    }
}

/// One element of a line of `data` a round. The lines are those that a
/// multiplication scatters the numbers of the rounds over; 16 floats are one.
static void touchLines(int64_t rounds, const std::vector<float> &data,
                       unsigned bits) {
  float sum = 0;
  for (int64_t r = 0; r < rounds; ++r)
    sum += data[(uint64_t(r) * 0x9e3779b97f4a7c15) >> (64 - bits) << 4];
  sink = sum;
}

/// Loops of a chunk, and chunks until they repeat: predictors of branches learn
/// thousands of loops by heart.
static constexpr size_t kLoops = 1024, kChunks = 256;

/// Numbers of steps that change from one loop to the next as chance has it, 8
/// to 24.
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
  const Variant *v = variant();
  if (!v) {
    takeTurns({&cycle, &line}, seconds);
    result.cycle = cycle.seconds() / 16;
    result.line = line.seconds();
    return result;
  }
  std::vector<float> memory((8 + 8 * kTiles + 1) * 16, 1.0f);
  // Vectors that straddle lines would count twice.
  float *data = reinterpret_cast<float *>(
      (reinterpret_cast<uintptr_t>(memory.data()) + 63) & ~uintptr_t(63));
  std::vector<uint8_t> brief = unforeseenTrips(), lengthy(64, 250);
  size_t next = 0;
  Probe chain([&](int64_t rounds) { sink = v->chain(rounds, scaleSource); });
  Probe load([&](int64_t rounds) { v->load(rounds, data); });
  Probe store([&](int64_t rounds) { v->store(rounds, data); });
  Probe lengthyLoops([&](int64_t rounds) {
    for (int64_t r = 0; r < rounds; ++r)
      v->reduce(lengthy, data, scaleSource);
  });
  Probe briefLoops([&](int64_t rounds) {
    for (int64_t r = 0; r < rounds; ++r, next = (next + 1) % kChunks)
      v->reduce(llvm::ArrayRef(brief).slice(next * kLoops, kLoops), data,
                scaleSource);
  });
  takeTurns({&cycle, &line, &chain, &load, &store, &briefLoops, &lengthyLoops},
            seconds);
  result.cycle = cycle.seconds() / 16;
  result.line = line.seconds();
  result.fma = chain.seconds() / 16;
  result.load = load.seconds() / 16;
  result.store = store.seconds() / 16;
  // What the steps of long loops take is taken off again.
  double step = lengthyLoops.seconds() / (250.0 * double(lengthy.size()));
  double steps =
      std::accumulate(brief.begin(), brief.end(), 0.0) / double(brief.size());
  double moved = 8 * (result.load + result.store);
  double restart = briefLoops.seconds() / double(kLoops) - step * steps - moved;
  // Nothing is left where the core works on the next loop before it knows that
  // this one has ended.
  result.restart = std::max(restart, result.cycle);
  return result;
}
