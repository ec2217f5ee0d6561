//===- TensorSum.h - sums of products in tensor cores -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the tensor cores of NVIDIA's GPUs add products of narrow floats. Studies
// of the hardware agree on the rule (Fasi, Higham, Mikaitis, Pranesh,
// "Numerical behavior of NVIDIA tensor cores", 2021; "MMA-Sim: bit-accurate
// reference model of tensor cores and matrix cores", arXiv 2511.10909, which
// compares it with eight generations bit by bit):
//
//   * A product of two significands is exact. Its exponent is the sum of both;
//     it is not normalized. Subnormal factors count.
//   * The terms of a group, which are some products and the accumulator, are
//     shifted to the largest exponent among them and at least -126, and cut to
//     `fractionBits` bits after the binary point. The sum of the remaining
//     terms is exact.
//   * The sum is cut to f32, or rounded to f16 to nearest, ties to even. It is
//     the accumulator of the next group.
//   * A zero is positive. Infinities and NaNs follow IEEE 754; a NaN has the
//     bits of other arithmetic.
//
// Integers need no such rule: their sums are modulo 2^32.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_PTX_INSTRUCTIONS_TENSORSUM_H
#define PRUNER_LIB_PTX_INSTRUCTIONS_TENSORSUM_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace pruner::ptx {

/// A float as `significand` * 2^(`exponent` - fraction bits of its format). The
/// exponent is that of the format, also of subnormal numbers and zeros.
struct TensorTerm {
  int64_t significand = 0;
  int exponent = 0;
  /// The value of an infinity or a NaN, else 0.
  double special = 0;
};

/// Formats of factors and accumulators. tf32 is an f32 whose 13 lowest bits do
/// not count.
enum class TensorFormat : uint8_t { F16, BF16, TF32, F32 };

/// Explicit bits of a significand.
unsigned fractionBitsOf(TensorFormat format);

TensorTerm tensorTerm(TensorFormat format, uint32_t bits);

/// The arithmetic of a generation.
struct TensorArithmetic {
  unsigned fractionBits;
  /// Bytes along the sum that one group has; 0 for all.
  unsigned groupBytes;
};

/// That of a chip, such as 80 for sm_80. Published for sm_75, 80, 89, 90, 100
/// and 120; chips in between are taken for the one below.
TensorArithmetic tensorArithmetic(unsigned chip);

/// `accumulator` plus the products of `a` and `b`, in groups of `groupSize`, as
/// bits of an f32 or f16.
uint32_t tensorSum(llvm::ArrayRef<TensorTerm> a, llvm::ArrayRef<TensorTerm> b,
                   TensorFormat factors, uint32_t accumulator,
                   TensorFormat accumulators, unsigned groupSize,
                   unsigned fractionBits);

} // namespace pruner::ptx

#endif // PRUNER_LIB_PTX_INSTRUCTIONS_TENSORSUM_H
