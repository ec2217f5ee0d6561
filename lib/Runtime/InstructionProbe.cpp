//===- InstructionProbe.cpp - measured rates of instructions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/InstructionProbe.h"

#include "pruner/Runtime/TileRegisters.h"

#include "Probe.h"

#include <deque>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace pruner;
using Kind = InstructionRate::Kind;

namespace {
/// A loop that executes `perRound` instructions in a round.
struct Loop {
  Kind kind;
  const char *name;
  void (*run)(int64_t rounds);
  int perRound;
  double operations;
  /// The same, each waiting for the previous one, or null.
  void (*chain)(int64_t rounds) = nullptr;
};
} // namespace

#if defined(__x86_64__)
// Accumulators that are neither too few for the latency nor too many for the
// registers. The asm keeps each result and a factor that is not a constant.
// Products without a sum must not be computed once for all.
#define PRUNER_VECTOR_LOOP(NAME, TARGET, VECTOR, ZERO, COUNT, CONSTRAINT,      \
                           STEP)                                               \
  __attribute__((target(TARGET))) static void NAME(int64_t rounds) {           \
    auto x = ZERO();                                                           \
    asm volatile("" : "+" CONSTRAINT(x));                                      \
    VECTOR sums[COUNT];                                                        \
    _Pragma("GCC unroll 32") for (int c = 0; c < COUNT; ++c) sums[c] =         \
        (VECTOR)ZERO();                                                        \
    for (int64_t r = 0; r < rounds; ++r)                                       \
      _Pragma("GCC unroll 32") for (int c = 0; c < COUNT; ++c) {               \
        STEP;                                                                  \
        asm volatile("" : "+" CONSTRAINT(sums[c]));                            \
      }                                                                        \
  }

static constexpr int kWide = 24, kNarrow = 12;

PRUNER_VECTOR_LOOP(floats512, "avx512f", __m512, _mm512_setzero_ps, kWide, "v",
                   sums[c] = _mm512_fmadd_ps(x, x, sums[c]))
PRUNER_VECTOR_LOOP(halves512, "avx512fp16", __m512h, _mm512_setzero_ph, kWide,
                   "v", sums[c] = _mm512_fmadd_ph(x, x, sums[c]))
PRUNER_VECTOR_LOOP(bytes512, "avx512f,avx512vnni", __m512i,
                   _mm512_setzero_si512, kWide, "v",
                   sums[c] = _mm512_dpbusd_epi32(sums[c], x, x))
PRUNER_VECTOR_LOOP(pairs512, "avx512bw", __m512i, _mm512_setzero_si512, kWide,
                   "v", asm volatile("" : "+v"(x));
                   __m512i product = _mm512_madd_epi16(x, x);
                   sums[c] = _mm512_add_epi32(sums[c], product))
PRUNER_VECTOR_LOOP(brains512, "avx512f,avx512bf16", __m512,
                   _mm512_setzero_si512, kWide, "v",
                   sums[c] = _mm512_dpbf16_ps(sums[c], (__m512bh)x,
                                              (__m512bh)x))
PRUNER_VECTOR_LOOP(floats256, "avx2,fma", __m256, _mm256_setzero_ps, kNarrow,
                   "x", sums[c] = _mm256_fmadd_ps(x, x, sums[c]))
PRUNER_VECTOR_LOOP(bytes256, "avx2,avxvnni", __m256i, _mm256_setzero_si256,
                   kNarrow, "x",
                   sums[c] = _mm256_dpbusd_avx_epi32(sums[c], x, x))
PRUNER_VECTOR_LOOP(pairs256, "avx2", __m256i, _mm256_setzero_si256, kNarrow,
                   "x", asm volatile("" : "+x"(x));
                   __m256i product = _mm256_madd_epi16(x, x);
                   sums[c] = _mm256_add_epi32(sums[c], product))

namespace {
/// The operand of LDTILECFG (Intel SDM): palette 1, and for each of the eight
/// tile registers the bytes of a row and the rows.
struct alignas(64) TileShapes {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
} // namespace

// Six accumulators and two factors. Tiles are not values for the compiler, so
// nothing moves or drops their instructions.
#define PRUNER_TILE_LOOPS(NAME, TARGET, PRODUCT)                               \
  __attribute__((target(TARGET))) static void NAME(int64_t rounds) {           \
    TileShapes shapes;                                                         \
    _tile_loadconfig(&shapes);                                                 \
    _tile_zero(6);                                                             \
    _tile_zero(7);                                                             \
    for (int64_t r = 0; r < rounds; ++r) {                                     \
      PRODUCT(0, 6, 7);                                                        \
      PRODUCT(1, 6, 7);                                                        \
      PRODUCT(2, 6, 7);                                                        \
      PRODUCT(3, 6, 7);                                                        \
      PRODUCT(4, 6, 7);                                                        \
      PRODUCT(5, 6, 7);                                                        \
    }                                                                          \
    _tile_release();                                                           \
  }                                                                            \
  __attribute__((target(TARGET))) static void NAME##Chain(int64_t rounds) {    \
    TileShapes shapes;                                                         \
    _tile_loadconfig(&shapes);                                                 \
    _tile_zero(6);                                                             \
    _tile_zero(7);                                                             \
    for (int64_t r = 0; r < rounds; ++r)                                       \
      PRODUCT(0, 6, 7);                                                        \
    _tile_release();                                                           \
  }

PRUNER_TILE_LOOPS(byteTiles, "amx-tile,amx-int8", _tile_dpbssd)
PRUNER_TILE_LOOPS(brainTiles, "amx-tile,amx-bf16", _tile_dpbf16ps)

/// The loops that this core can execute; the first one multiplies f32.
static std::vector<Loop> loops() {
  bool wide = __builtin_cpu_supports("avx512f");
  std::vector<Loop> result;
  auto add = [&](bool exists, Loop loop) {
    if (exists)
      result.push_back(loop);
  };
  if (wide) {
    add(true, {Kind::F32, "vfmadd231ps", floats512, kWide, 32});
    add(__builtin_cpu_supports("avx512fp16"),
        {Kind::F16, "vfmadd231ph", halves512, kWide, 64});
    add(__builtin_cpu_supports("avx512vnni"),
        {Kind::IntegerDot, "vpdpbusd", bytes512, kWide, 128});
    add(__builtin_cpu_supports("avx512bw"),
        {Kind::IntegerPairs, "vpmaddwd", pairs512, kWide, 64});
    add(__builtin_cpu_supports("avx512bf16"),
        {Kind::BrainFloatDot, "vdpbf16ps", brains512, kWide, 64});
  } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    add(true, {Kind::F32, "vfmadd231ps", floats256, kNarrow, 16});
    add(__builtin_cpu_supports("avxvnni"),
        {Kind::IntegerDot, "vpdpbusd", bytes256, kNarrow, 64});
    add(true, {Kind::IntegerPairs, "vpmaddwd", pairs256, kNarrow, 32});
  }
  // 16 x 16 sums of 64 bytes of each factor.
  constexpr double kSums = 16 * 16 * 2;
  if (__builtin_cpu_supports("amx-tile") && requestTileRegisters()) {
    add(__builtin_cpu_supports("amx-int8"),
        {Kind::ByteTiles, "tdpbssd", byteTiles, 6, kSums * 64, byteTilesChain});
    add(__builtin_cpu_supports("amx-bf16"),
        {Kind::BrainTiles, "tdpbf16ps", brainTiles, 6, kSums * 32,
         brainTilesChain});
  }
  return result;
}
#else
static std::vector<Loop> loops() { return {}; }
#endif

std::vector<InstructionRate> pruner::measureInstructions(double seconds) {
  std::vector<Loop> all = loops();
  std::deque<Probe> rates, latencies;
  for (const Loop &loop : all) {
    rates.emplace_back(loop.run);
    if (loop.chain)
      latencies.emplace_back(loop.chain);
  }
  std::vector<Probe *> probes;
  for (std::deque<Probe> *list : {&rates, &latencies})
    for (Probe &probe : *list)
      probes.push_back(&probe);
  if (!probes.empty())
    interleave(probes, seconds);
  std::vector<InstructionRate> result;
  auto latency = latencies.begin();
  auto rate = rates.begin();
  for (const Loop &loop : all)
    result.push_back({loop.kind, loop.name, rate++->seconds() / loop.perRound,
                      loop.chain ? latency++->seconds() : 0, loop.operations});
  return result;
}
