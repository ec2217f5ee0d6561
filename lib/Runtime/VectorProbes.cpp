//===- VectorProbes.cpp - loops that measure vector units -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorProbes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

using namespace pruner;

volatile float pruner::scaleSource = 0.999f;
volatile float pruner::sink;

// The compiler must compute the value that an empty `asm` reads, and hold it in
// a register; it must also store memory that the `asm` may change.
#define PRUNER_KEEP(VALUE, CONSTRAINT) asm volatile("" ::CONSTRAINT(VALUE))
#define PRUNER_FENCE() asm volatile("" ::: "memory")

// `fma` and `read` need enough chains to cover latency (4 to 5 cycles) times
// pipes (2), and no more than there are registers. A macro keeps every
// operation inside a function with the target attribute: a template or helper
// without it would be compiled for the baseline before it could be inlined.
#define PRUNER_PROBES(NAME, TARGET, FUSED, VECTOR, LANES, CHAINS, CONSTRAINT,  \
                      SET, LOAD, STORE, ADD, MULADD)                           \
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
  constexpr VectorProbes                                                       \
      probes_##NAME = {#NAME,       FUSED,        2 * LANES * CHAINS,          \
                       fma_##NAME,  read_##NAME,  chain_##NAME,                \
                       load_##NAME, store_##NAME, reduce_##NAME};

#if defined(__x86_64__)
#define PRUNER_SSE_MULADD(a, b, c) _mm_add_ps(_mm_mul_ps(a, b), c)
PRUNER_PROBES(avx512f, __attribute__((target("avx512f"))), true, __m512, 16, 24,
              "v", _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps,
              _mm512_add_ps, _mm512_fmadd_ps)
PRUNER_PROBES(avx2, __attribute__((target("avx2,fma"))), true, __m256, 8, 12,
              "x", _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps,
              _mm256_add_ps, _mm256_fmadd_ps)
PRUNER_PROBES(sse2, __attribute__((target("sse2"))), false, __m128, 4, 12, "x",
              _mm_set1_ps, _mm_loadu_ps, _mm_storeu_ps, _mm_add_ps,
              PRUNER_SSE_MULADD)

const VectorProbes &pruner::vectorProbes() {
  if (__builtin_cpu_supports("avx512f"))
    return probes_avx512f;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return probes_avx2;
  return probes_sse2;
}
#elif defined(__aarch64__)
#define PRUNER_NEON_MULADD(a, b, c) vfmaq_f32(c, a, b)
PRUNER_PROBES(neon, , true, float32x4_t, 4, 24, "w", vdupq_n_f32, vld1q_f32,
              vst1q_f32, vaddq_f32, PRUNER_NEON_MULADD)
const VectorProbes &pruner::vectorProbes() { return probes_neon; }
#else
#define PRUNER_SAME(a) (a)
#define PRUNER_LOAD(p) (*(p))
#define PRUNER_STORE(p, v) (*(p) = (v))
#define PRUNER_ADD(a, b) ((a) + (b))
#define PRUNER_MULADD(a, b, c) ((a) * (b) + (c))
PRUNER_PROBES(scalar, , false, float, 1, 12, "g", PRUNER_SAME, PRUNER_LOAD,
              PRUNER_STORE, PRUNER_ADD, PRUNER_MULADD)
const VectorProbes &pruner::vectorProbes() { return probes_scalar; }
#endif
