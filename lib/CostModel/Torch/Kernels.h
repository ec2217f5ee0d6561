//===- Kernels.h - vectorized loops of the networks -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations for which matrix libraries have no good primitive: the sum of rows
// by program, and the attention over eight steps, which is too small for a
// batched matrix product (LibTorch without MKL calls the BLAS once per head).
// They use plain arrays, so that they can be tested without LibTorch. Widths
// are at most 1024.
//
// The network only uses the *sum* of the attention's output over the eight
// steps. The sum commutes with everything after the softmax, so per head
//
//   sum over t of sum over s of A[t][s] v_s  =  W_v (sum over s of c_s h_s)
//                                               + 8 b_v,
//   c_s = sum over t of A[t][s].
//
// The value and output projections are therefore applied once per program
// instead of eight times. Nothing is approximated.

#ifndef PRUNER_LIB_COSTMODEL_TORCH_KERNELS_H
#define PRUNER_LIB_COSTMODEL_TORCH_KERNELS_H

#include <cstddef>
#include <cstdint>

namespace pruner {

/// The steps of a program's dataflow. Repeats kDataflowSteps of
/// CostModel/Features.h, which this file must not include: the checks for
/// infinities there must not be compiled with -ffast-math.
constexpr int kSteps = 8;
constexpr int kHeads = 4;
constexpr int kHeadSize = 32;
/// Width of the dataflow branch.
constexpr int kFlowWidth = kHeads * kHeadSize;

/// x[r][c] = max(x[r][c] + bias[c], 0), dense.
void addBiasRelu(float *x, std::size_t rows, int width, const float *bias);

/// x[r][c] += max(y[r][c] + bias[c], 0), dense.
void addPositive(float *x, const float *y, std::size_t rows, int width,
                 const float *bias);

/// Finds the columns of a dense matrix that are constant. Features contain
/// many: one-hot columns, unused buffers, flags of the task. Their contribution
/// to a layer's output is the same for all rows, so they need not be
/// multiplied.
void findConstantColumns(const float *rows, std::size_t count, int width,
                         unsigned char *isConstant);

/// out[p][c] = sum over rows r in [offsets[p], offsets[p+1]) of
/// max(rows[r][c] + bias[c], 0); \p bias may be null. \p rows is dense with \p
/// width columns; rows of \p out are \p outStride apart.
void sumPositiveRows(const float *rows, const std::int64_t *offsets,
                     std::size_t programs, int width, const float *bias,
                     float *out, std::size_t outStride);

/// The gradient of sumPositiveRows without a bias: gradRows[r][c] = rows[r][c]
/// > 0 ? gradOut[p][c] : 0. All dense.
void sumPositiveRowsBackward(const float *rows, const std::int64_t *offsets,
                             std::size_t programs, int width,
                             const float *gradOut, float *gradRows);

/// pooled[p][head][d] = sum over s of c[p][head][s] steps[p][s][d] as above.
///
/// \p queryKey programs x 8 x 2*kFlowWidth: queries, then keys, heads
///    consecutive.
/// \p steps programs x 8 x kFlowWidth.
/// \p pooled programs x kHeads x kFlowWidth.
void attentionPool(const float *queryKey, const float *steps,
                   std::size_t programs, float *pooled);

/// The gradient of attentionPool, with the same shapes. Gradients are set, not
/// added.
void attentionPoolBackward(const float *queryKey, const float *steps,
                           std::size_t programs, const float *gradPooled,
                           float *gradQueryKey, float *gradSteps);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_KERNELS_H
