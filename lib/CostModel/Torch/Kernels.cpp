//===- Kernels.cpp - vectorized loops of the networks ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.h"

#include <cstring>
#include <math.h>

using namespace pruner;

// The library is built for the base instruction set. Each of these loops is
// built in three versions, of which one is selected when the library is loaded.
#if defined(__x86_64__) && defined(__GNUC__)
#define PRUNER_FOR_EACH_CPU                                                    \
  __attribute__((                                                              \
      target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define PRUNER_FOR_EACH_CPU
#endif

static constexpr int S = kSteps;
/// 1 / sqrt(kHeadSize).
static constexpr float kScale = 0.17677669529663688f;

PRUNER_FOR_EACH_CPU
void pruner::addBiasRelu(float *x, std::size_t rows, int width,
                         const float *bias) {
  for (std::size_t r = 0; r < rows; ++r) {
    float *__restrict row = x + r * width;
    for (int c = 0; c < width; ++c) {
      float value = row[c] + bias[c];
      row[c] = value > 0.0f ? value : 0.0f;
    }
  }
}

PRUNER_FOR_EACH_CPU
void pruner::addPositive(float *x, const float *y, std::size_t rows, int width,
                         const float *bias) {
  for (std::size_t r = 0; r < rows; ++r) {
    float *__restrict row = x + r * width;
    const float *__restrict from = y + r * width;
    for (int c = 0; c < width; ++c) {
      float value = from[c] + bias[c];
      row[c] += value > 0.0f ? value : 0.0f;
    }
  }
}

PRUNER_FOR_EACH_CPU
void pruner::findConstantColumns(const float *rows, std::size_t count,
                                 int width, unsigned char *isConstant) {
  float differs[1024] = {};
  for (std::size_t r = 1; r < count; ++r) {
    const float *__restrict row = rows + r * width;
    for (int c = 0; c < width; ++c)
      differs[c] = row[c] != rows[c] ? 1.0f : differs[c];
  }
  for (int c = 0; c < width; ++c)
    isConstant[c] = differs[c] == 0.0f;
}

PRUNER_FOR_EACH_CPU
void pruner::sumPositiveRows(const float *rows, const std::int64_t *offsets,
                             std::size_t programs, int width, const float *bias,
                             float *out, std::size_t outStride) {
  static const float zeros[1024] = {};
  if (!bias)
    bias = zeros;
  for (std::size_t p = 0; p < programs; ++p) {
    float *__restrict sum = out + p * outStride;
    std::memset(sum, 0, width * sizeof(float));
    for (std::int64_t r = offsets[p]; r < offsets[p + 1]; ++r) {
      const float *__restrict row = rows + r * width;
      for (int c = 0; c < width; ++c) {
        float value = row[c] + bias[c];
        sum[c] += value > 0.0f ? value : 0.0f;
      }
    }
  }
}

PRUNER_FOR_EACH_CPU
void pruner::sumPositiveRowsBackward(const float *rows,
                                     const std::int64_t *offsets,
                                     std::size_t programs, int width,
                                     const float *gradOut, float *gradRows) {
  for (std::size_t p = 0; p < programs; ++p) {
    const float *__restrict grad = gradOut + p * width;
    for (std::int64_t r = offsets[p]; r < offsets[p + 1]; ++r) {
      const float *__restrict row = rows + r * width;
      float *__restrict gradRow = gradRows + r * width;
      for (int c = 0; c < width; ++c)
        gradRow[c] = row[c] > 0.0f ? grad[c] : 0.0f;
    }
  }
}

/// weights[t][s] = softmax over s of scale * q_t . k_s, for one head of one
/// program; \p query and \p key point at the head's part of step 0.
static inline __attribute__((always_inline)) void
attentionWeights(const float *query, const float *key, float weights[S][S]) {
  constexpr int stride = 2 * kFlowWidth;
  // Keys are transposed, so that the loop over s fits one vector register.
  float transposed[kHeadSize][S];
  for (int s = 0; s < S; ++s)
    for (int d = 0; d < kHeadSize; ++d)
      transposed[d][s] = key[s * stride + d];
  float logits[S][S] = {};
  for (int t = 0; t < S; ++t)
    for (int d = 0; d < kHeadSize; ++d)
      for (int s = 0; s < S; ++s)
        logits[t][s] += query[t * stride + d] * transposed[d][s];
  float *flat = &logits[0][0];
  for (int t = 0; t < S; ++t) {
    float largest = logits[t][0];
    for (int s = 1; s < S; ++s)
      largest = logits[t][s] > largest ? logits[t][s] : largest;
    for (int s = 0; s < S; ++s)
      logits[t][s] = (logits[t][s] - largest) * kScale;
  }
  for (int i = 0; i < S * S; ++i)
    flat[i] = ::expf(flat[i]);
  for (int t = 0; t < S; ++t) {
    float sum = 0.0f;
    for (int s = 0; s < S; ++s)
      sum += logits[t][s];
    float inverse = 1.0f / sum;
    for (int s = 0; s < S; ++s)
      weights[t][s] = logits[t][s] * inverse;
  }
}

PRUNER_FOR_EACH_CPU
void pruner::attentionPool(const float *queryKey, const float *steps,
                           std::size_t programs, float *pooled) {
  for (std::size_t p = 0; p < programs; ++p) {
    const float *qk = queryKey + p * S * 2 * kFlowWidth;
    const float *h = steps + p * S * kFlowWidth;
    for (int head = 0; head < kHeads; ++head) {
      float weights[S][S];
      attentionWeights(qk + head * kHeadSize,
                       qk + kFlowWidth + head * kHeadSize, weights);
      float *__restrict out = pooled + (p * kHeads + head) * kFlowWidth;
      std::memset(out, 0, kFlowWidth * sizeof(float));
      for (int s = 0; s < S; ++s) {
        float column = 0.0f;
        for (int t = 0; t < S; ++t)
          column += weights[t][s];
        for (int d = 0; d < kFlowWidth; ++d)
          out[d] += column * h[s * kFlowWidth + d];
      }
    }
  }
}

PRUNER_FOR_EACH_CPU
void pruner::attentionPoolBackward(const float *queryKey, const float *steps,
                                   std::size_t programs,
                                   const float *gradPooled, float *gradQueryKey,
                                   float *gradSteps) {
  constexpr int stride = 2 * kFlowWidth;
  for (std::size_t p = 0; p < programs; ++p) {
    const float *h = steps + p * S * kFlowWidth;
    float *__restrict gradH = gradSteps + p * S * kFlowWidth;
    std::memset(gradH, 0, S * kFlowWidth * sizeof(float));
    for (int head = 0; head < kHeads; ++head) {
      const float *query = queryKey + p * S * stride + head * kHeadSize;
      const float *key = query + kFlowWidth;
      float *__restrict gradQuery =
          gradQueryKey + p * S * stride + head * kHeadSize;
      float *__restrict gradKey = gradQuery + kFlowWidth;
      const float *grad = gradPooled + (p * kHeads + head) * kFlowWidth;
      float weights[S][S], gradColumn[S];
      attentionWeights(query, key, weights);
      for (int s = 0; s < S; ++s) {
        float column = 0.0f, dot = 0.0f;
        for (int t = 0; t < S; ++t)
          column += weights[t][s];
        for (int d = 0; d < kFlowWidth; ++d) {
          dot += grad[d] * h[s * kFlowWidth + d];
          gradH[s * kFlowWidth + d] += column * grad[d];
        }
        gradColumn[s] = dot;
      }
      for (int t = 0; t < S; ++t)
        for (int d = 0; d < kHeadSize; ++d)
          gradQuery[t * stride + d] = gradKey[t * stride + d] = 0.0f;
      for (int t = 0; t < S; ++t) {
        float mean = 0.0f;
        for (int s = 0; s < S; ++s)
          mean += weights[t][s] * gradColumn[s];
        for (int s = 0; s < S; ++s) {
          float logit = weights[t][s] * (gradColumn[s] - mean) * kScale;
          for (int d = 0; d < kHeadSize; ++d) {
            gradQuery[t * stride + d] += logit * key[s * stride + d];
            gradKey[s * stride + d] += logit * query[t * stride + d];
          }
        }
      }
    }
  }
}
