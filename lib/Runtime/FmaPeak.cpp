//===- FmaPeak.cpp - measured roofs of one core --------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Runtime/FmaPeak.h"
#include "pruner/Runtime/Timer.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

using namespace pruner;

namespace {
// One variant is two functions. `fma` runs `rounds` rounds of `chains`
// independent multiply-adds and returns a value that depends on all of them;
// `read` adds up a buffer of whole 4 KiB pieces. Both need enough chains to
// cover latency (4 to 5 cycles) times pipes (2), and no more than there are
// registers. The macros keep every operation inside a function that carries
// the target attribute: a template or helper without it would be compiled for
// the baseline before it could be inlined.
struct Variant {
  const char *name;
  int flopsPerRound;
  float (*fma)(int64_t rounds, float scale);
  float (*read)(const float *data, size_t floats);
};
} // namespace

// Values stay near 1 whatever the number of rounds: x -> x * s + (1 - s).
#define PRUNER_ROOFS(NAME, TARGET, VECTOR, LANES, CHAINS, SET, LOAD, ADD,      \
                     MULADD, STORE)                                            \
  TARGET static float fma_##NAME(int64_t rounds, float scale) {                \
    VECTOR s = SET(scale), t = SET(1 - scale), x[CHAINS];                      \
    _Pragma("GCC unroll 32") for (int c = 0; c < CHAINS; ++c) x[c] =           \
        SET(1 + 0.01f * scale * c);                                            \
    for (int64_t r = 0; r < rounds; ++r) {                                     \
      _Pragma("GCC unroll 32") for (int c = 0; c < CHAINS; ++c) x[c] =         \
          MULADD(x[c], s, t);                                                  \
    }                                                                          \
    _Pragma("GCC unroll 32") for (int c = 1; c < CHAINS; ++c) x[0] =           \
        ADD(x[0], x[c]);                                                       \
    float out[LANES];                                                          \
    STORE(out, x[0]);                                                          \
    return out[0] + out[LANES - 1];                                            \
  }                                                                            \
  TARGET static float read_##NAME(const float *data, size_t floats) {          \
    VECTOR x[8];                                                               \
    _Pragma("GCC unroll 8") for (int c = 0; c < 8; ++c) x[c] = SET(0);         \
    for (size_t i = 0; i < floats; i += 8 * LANES) {                           \
      _Pragma("GCC unroll 8") for (int c = 0; c < 8; ++c) x[c] =               \
          ADD(x[c], LOAD(data + i + c * LANES));                               \
    }                                                                          \
    _Pragma("GCC unroll 8") for (int c = 1; c < 8; ++c) x[0] =                 \
        ADD(x[0], x[c]);                                                       \
    float out[LANES];                                                          \
    STORE(out, x[0]);                                                          \
    return out[0] + out[LANES - 1];                                            \
  }                                                                            \
  constexpr Variant variant_##NAME = {#NAME, 2 * LANES * CHAINS, fma_##NAME,   \
                                      read_##NAME};

#if defined(__x86_64__)
#define PRUNER_SSE_MULADD(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
PRUNER_ROOFS(avx512f, __attribute__((target("avx512f"))), __m512, 16, 24,
             _mm512_set1_ps, _mm512_loadu_ps, _mm512_add_ps, _mm512_fmadd_ps,
             _mm512_storeu_ps)
PRUNER_ROOFS(avx2, __attribute__((target("avx2,fma"))), __m256, 8, 12,
             _mm256_set1_ps, _mm256_loadu_ps, _mm256_add_ps, _mm256_fmadd_ps,
             _mm256_storeu_ps)
PRUNER_ROOFS(sse2, __attribute__((target("sse2"))), __m128, 4, 12, _mm_set1_ps,
             _mm_loadu_ps, _mm_add_ps, PRUNER_SSE_MULADD, _mm_storeu_ps)

static const Variant &variant() {
  if (__builtin_cpu_supports("avx512f"))
    return variant_avx512f;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return variant_avx2;
  return variant_sse2;
}
#elif defined(__aarch64__)
#define PRUNER_NEON_MULADD(a, b, c) vfmaq_f32(c, a, b)
PRUNER_ROOFS(neon, , float32x4_t, 4, 24, vdupq_n_f32, vld1q_f32, vaddq_f32,
             PRUNER_NEON_MULADD, vst1q_f32)
static const Variant &variant() { return variant_neon; }
#else
#define PRUNER_SAME(a) (a)
#define PRUNER_LOAD(p) (*(p))
#define PRUNER_ADD(a, b) ((a) + (b))
#define PRUNER_MULADD(a, b, c) ((a) * (b) + (c))
#define PRUNER_STORE(p, v) (*(p) = (v))
PRUNER_ROOFS(scalar, , float, 1, 12, PRUNER_SAME, PRUNER_LOAD, PRUNER_ADD,
             PRUNER_MULADD, PRUNER_STORE)
static const Variant &variant() { return variant_scalar; }
#endif

/// Where results go so that no compiler may drop the work.
static volatile float sink;
/// Read through volatile so that no compiler may fold the work.
static volatile float scaleSource = 0.999f;

const char *pruner::fmaPeakVariant() {
  return std::strcmp(variant().name, "avx2") ? variant().name : "avx2+fma";
}

double pruner::measureFmaPeak(double seconds) {
  const Variant &v = variant();
  auto timed = [&](int64_t rounds) {
    int64_t start = nowNanoseconds();
    sink = v.fma(rounds, scaleSource);
    return std::max<int64_t>(1, nowNanoseconds() - start);
  };
  // Grow the chunk to about a millisecond: long against the clock's cost,
  // short against a time slice.
  int64_t rounds = 1000, took = timed(rounds);
  while (took < 500000 && rounds < (int64_t(1) << 40)) {
    rounds *= 2;
    took = timed(rounds);
  }
  int64_t best = took, end = nowNanoseconds() + int64_t(seconds * 1e9);
  do
    best = std::min(best, timed(rounds));
  while (nowNanoseconds() < end);
  return double(v.flopsPerRound) * rounds / (best * 1e-9);
}

double pruner::measureReadBandwidth(size_t bytes, double seconds) {
  constexpr size_t piece = 4096;
  bytes = std::max(piece, (bytes + piece - 1) / piece * piece);
  auto *data = static_cast<float *>(std::aligned_alloc(piece, bytes));
  if (!data)
    return 0;
  std::fill(data, data + bytes / sizeof(float), 1.0f);
  const Variant &v = variant();
  // A small buffer is read many times per reading of the clock.
  size_t passes = std::max<size_t>(1, (size_t(1) << 18) / bytes);
  int64_t best = INT64_MAX, end = nowNanoseconds() + int64_t(seconds * 1e9);
  do {
    int64_t start = nowNanoseconds();
    for (size_t p = 0; p < passes; ++p)
      sink = v.read(data, bytes / sizeof(float));
    best = std::min(best, std::max<int64_t>(1, nowNanoseconds() - start));
  } while (nowNanoseconds() < end);
  std::free(data);
  return double(bytes) * passes / (best * 1e-9);
}
