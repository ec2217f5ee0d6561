//===- Mma.cpp - products of a warp's matrices ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// mma.sync.aligned with f32 or f16 accumulators. Products are exact; how sums
/// are cut depends on the chip (lib/Ptx/Instructions/TensorSum.h).
class FloatMma final : public WarpInstruction {
public:
  FloatMma(llvm::StringLiteral name, ElementType operands,
           ElementType accumulators, int64_t sums, llvm::ArrayRef<Width> widths)
      : WarpInstruction(name, operands, accumulators, /*aSigned=*/true,
                        /*bSigned=*/true, /*deviceRows=*/16, sums, widths) {}
};

/// mma.sync.aligned with bytes, modulo 2^32.
class ByteMma final : public WarpInstruction {
public:
  ByteMma(llvm::StringLiteral name, bool aSigned, bool bSigned,
          int64_t deviceRows, int64_t sums, llvm::ArrayRef<Width> widths)
      : WarpInstruction(name, ElementType::I8, ElementType::I32, aSigned,
                        bSigned, deviceRows, sums, widths) {}
};
} // namespace

#define PRUNER_MMA(type, elements, sums, intrinsic, chip)                      \
  const WarpInstruction &pruner::mma16x8x##sums##type() {                      \
    static constexpr MatrixInstruction::Width widths[] = {                     \
        {32, "llvm.nvvm.mma.m16n8k" #sums ".row.col." intrinsic, chip, ""}};   \
    static const FloatMma instruction("mma_m16n8k" #sums "_" elements,         \
                                      ElementType::type, ElementType::F32,     \
                                      sums, widths);                           \
    return instruction;                                                        \
  }

PRUNER_MMA(F16, "f16", 16, "f32.f32", "sm_80")
PRUNER_MMA(BF16, "bf16", 16, "bf16", "sm_80")
PRUNER_MMA(F16, "f16", 8, "f32.f32", "sm_75")
PRUNER_MMA(F32, "tf32", 8, "tf32", "sm_80")

#define PRUNER_HALF_SUM_MMA(sums, chip)                                        \
  const WarpInstruction &pruner::mma16x8x##sums##F16Sums() {                   \
    static constexpr MatrixInstruction::Width widths[] = {                     \
        {16, "llvm.nvvm.mma.m16n8k" #sums ".row.col.f16.f16", chip, ""}};      \
    static const FloatMma instruction("mma_m16n8k" #sums "_f16_f16",           \
                                      ElementType::F16, ElementType::F16,      \
                                      sums, widths);                           \
    return instruction;                                                        \
  }

PRUNER_HALF_SUM_MMA(16, "sm_80")
PRUNER_HALF_SUM_MMA(8, "sm_75")

#define PRUNER_BYTE_MMA(rows, sums, name, elements, intrinsic, chip, aSigned,  \
                        bSigned)                                               \
  const WarpInstruction &pruner::mma##rows##x8x##sums##name() {                \
    static constexpr MatrixInstruction::Width widths[] = {                     \
        {32, "llvm.nvvm.mma.m" #rows "n8k" #sums ".row.col." intrinsic, chip,  \
         ""}};                                                                 \
    static const ByteMma instruction("mma_m" #rows "n8k" #sums "_" elements,   \
                                     aSigned, bSigned, rows, sums, widths);    \
    return instruction;                                                        \
  }

PRUNER_BYTE_MMA(16, 32, S8, "s8", "s8", "sm_80", true, true)
PRUNER_BYTE_MMA(16, 32, S8U8, "s8u8", "s8.u8", "sm_80", true, false)
PRUNER_BYTE_MMA(16, 32, U8S8, "u8s8", "u8.s8", "sm_80", false, true)
PRUNER_BYTE_MMA(16, 32, U8, "u8", "u8", "sm_80", false, false)
PRUNER_BYTE_MMA(8, 16, S8, "s8", "s8", "sm_75", true, true)
PRUNER_BYTE_MMA(8, 16, S8U8, "s8u8", "s8.u8", "sm_75", true, false)
PRUNER_BYTE_MMA(8, 16, U8S8, "u8s8", "u8.s8", "sm_75", false, true)
PRUNER_BYTE_MMA(8, 16, U8, "u8", "u8", "sm_75", false, false)
