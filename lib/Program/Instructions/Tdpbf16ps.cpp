//===- Tdpbf16ps.cpp - products of tiles of bf16 --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// AMX-BF16. The even and the odd terms of a sum are added in two chains from
/// 0, then both, then c, each step rounded to nearest even. Subnormal inputs
/// count as zero, and subnormal results become zero (Intel SDM, TDPBF16PS).
/// CPUs with it have AVX512-BF16, too, which rounds results.
class Tdpbf16ps final : public MatrixInstruction {
public:
  Tdpbf16ps()
      : MatrixInstruction("tdpbf16ps", ElementType::BF16, ElementType::F32,
                          /*aSigned=*/true, /*bSigned=*/true, /*rows=*/16,
                          /*sums=*/32, /*group=*/2, Unit::Tiles, kWidths) {}

private:
  static constexpr Width kWidths[] = {
      {64, "llvm.x86.tdpbf16ps.internal", "amx-tile,amx-bf16,avx512bf16", ""}};
};
} // namespace

const MatrixInstruction &pruner::tdpbf16ps() {
  static const Tdpbf16ps instruction;
  return instruction;
}
