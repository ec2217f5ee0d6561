//===- Mma.cpp - products of a warp's matrices of 16-bit floats -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// mma.sync.aligned with f32 accumulators. Products are exact; how sums are cut
/// depends on the chip (lib/Ptx/Instructions/TensorSum.h).
class Mma final : public WarpInstruction {
public:
  Mma(llvm::StringLiteral name, ElementType operands, int64_t sums,
      llvm::ArrayRef<Width> widths)
      : WarpInstruction(name, operands, ElementType::F32, /*rows=*/16, sums,
                        widths) {}
};
} // namespace

#define PRUNER_MMA(type, elements, sums, intrinsic, chip)                      \
  const WarpInstruction &pruner::mma16x8x##sums##type() {                      \
    static constexpr MatrixInstruction::Width widths[] = {                     \
        {32, "llvm.nvvm.mma.m16n8k" #sums ".row.col." intrinsic, chip, ""}};   \
    static const Mma instruction("mma_m16n8k" #sums "_" elements,              \
                                 ElementType::type, sums, widths);             \
    return instruction;                                                        \
  }

PRUNER_MMA(F16, "f16", 16, "f32.f32", "sm_80")
PRUNER_MMA(BF16, "bf16", 16, "bf16", "sm_80")
PRUNER_MMA(F16, "f16", 8, "f32.f32", "sm_75")
