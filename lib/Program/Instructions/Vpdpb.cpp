//===- Vpdpb.cpp - dot products of bytes with equal or other signs --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// AVX-VNNI-INT8, and AVX10.2 with registers of 64 bytes. Adds four products to
/// each lane, modulo 2^32 and without saturation (Intel Architecture
/// Instruction Set Extensions, VPDPBSSD/VPDPBSUD/VPDPBUUD).
class Vpdpb final : public MatrixInstruction {
public:
  Vpdpb(llvm::StringLiteral name, bool aSigned, bool bSigned,
        llvm::ArrayRef<Width> widths)
      : MatrixInstruction(name, ElementType::I8, ElementType::I32, aSigned,
                          bSigned, /*rows=*/1, /*sums=*/4, /*group=*/4,
                          Unit::IntegerDot, widths) {}
};
} // namespace

#define PRUNER_VPDPB(name, aSigned, bSigned)                                   \
  const MatrixInstruction &pruner::name() {                                    \
    static constexpr MatrixInstruction::Width widths[] = {                     \
        {16, "llvm.x86.avx2." #name ".128", "avxvnniint8", "avx10.2"},         \
        {32, "llvm.x86.avx2." #name ".256", "avxvnniint8", "avx10.2"},         \
        {64, "llvm.x86.avx10." #name ".512", "avx10.2", ""}};                  \
    static const Vpdpb instruction(#name, aSigned, bSigned, widths);           \
    return instruction;                                                        \
  }

PRUNER_VPDPB(vpdpbssd, true, true)
PRUNER_VPDPB(vpdpbsud, true, false)
PRUNER_VPDPB(vpdpbuud, false, false)
