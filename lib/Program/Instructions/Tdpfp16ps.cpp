//===- Tdpfp16ps.cpp - products of tiles of f16 ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// AMX-FP16. The even and the odd terms of a sum are added in two chains from
/// 0, then both, then c, each step rounded to nearest even. Subnormal f16 count
/// as they are, and subnormal f32 as zero (Intel Architecture Instruction Set
/// Extensions, TDPFP16PS).
class Tdpfp16ps final : public MatrixInstruction {
public:
  Tdpfp16ps()
      : MatrixInstruction("tdpfp16ps", ElementType::F16, ElementType::F32,
                          /*aSigned=*/true, /*bSigned=*/true, /*rows=*/16,
                          /*sums=*/32, /*group=*/2, Unit::Tiles, kWidths) {}

private:
  static constexpr Width kWidths[] = {
      {64, "llvm.x86.tdpfp16ps.internal", "amx-tile,amx-fp16", ""}};
};
} // namespace

const MatrixInstruction &pruner::tdpfp16ps() {
  static const Tdpfp16ps instruction;
  return instruction;
}
