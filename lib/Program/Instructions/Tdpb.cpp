//===- Tdpb.cpp - products of tiles of bytes ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// AMX-INT8. Adds the product of a tile of up to 16 rows of 64 bytes and one of
/// 64 rows of 16 bytes, modulo 2^32 and without saturation (Intel SDM,
/// TDPBSSD/TDPBSUD/TDPBUSD/TDPBUUD).
class Tdpb final : public MatrixInstruction {
public:
  Tdpb(llvm::StringLiteral name, bool aSigned, bool bSigned,
       llvm::ArrayRef<Width> widths)
      : MatrixInstruction(name, ElementType::I8, ElementType::I32, aSigned,
                          bSigned, /*rows=*/16, /*sums=*/64, /*group=*/4,
                          Unit::Tiles, widths) {}
};
} // namespace

#define PRUNER_TDPB(name, aSigned, bSigned)                                    \
  const MatrixInstruction &pruner::name() {                                    \
    static constexpr MatrixInstruction::Width widths[] = {                     \
        {64, "llvm.x86." #name ".internal", "amx-tile,amx-int8", ""}};         \
    static const Tdpb instruction(#name, aSigned, bSigned, widths);            \
    return instruction;                                                        \
  }

PRUNER_TDPB(tdpbssd, true, true)
PRUNER_TDPB(tdpbsud, true, false)
PRUNER_TDPB(tdpbusd, false, true)
PRUNER_TDPB(tdpbuud, false, false)
