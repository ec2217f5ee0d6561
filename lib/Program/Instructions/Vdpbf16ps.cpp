//===- Vdpbf16ps.cpp - dot products of bf16 -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// AVX512-BF16. A lane becomes fma(a0, b0, fma(a1, b1, c)): the odd element
/// first, each step rounded to nearest even. Subnormal inputs count as zero,
/// and subnormal results become zero, whatever MXCSR says (Intel SDM,
/// VDPBF16PS; all of this agrees with a Zen 4 on 8 million inputs). It runs as
/// often as a multiply-add on Zen 4 and 5.
class Vdpbf16ps final : public MatrixInstruction {
public:
  Vdpbf16ps()
      : MatrixInstruction("vdpbf16ps", ElementType::BF16, ElementType::F32,
                          /*aSigned=*/true, /*bSigned=*/true, /*rows=*/1,
                          /*sums=*/2, /*group=*/2, Unit::BrainFloatDot,
                          kWidths) {}

private:
  static constexpr Width kWidths[] = {
      {16, "llvm.x86.avx512bf16.dpbf16ps.128", "avx512bf16,avx512vl", ""},
      {32, "llvm.x86.avx512bf16.dpbf16ps.256", "avx512bf16,avx512vl", ""},
      {64, "llvm.x86.avx512bf16.dpbf16ps.512", "avx512bf16", ""}};
};
} // namespace

const MatrixInstruction &pruner::vdpbf16ps() {
  static const Vdpbf16ps instruction;
  return instruction;
}
