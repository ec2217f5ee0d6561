//===- Vpdpbusd.cpp - dot products of unsigned and signed bytes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// AVX512-VNNI and AVX-VNNI. Adds four products to each lane, modulo 2^32 and
/// without saturation (Intel SDM, VPDPBUSD). It runs on the ports of
/// multiply-adds (uops.info: Ice Lake to Emerald Rapids, Zen 4 and 5).
class Vpdpbusd final : public MatrixInstruction {
public:
  Vpdpbusd()
      : MatrixInstruction("vpdpbusd", ElementType::I8, ElementType::I32,
                          /*aSigned=*/false, /*bSigned=*/true, /*rows=*/1,
                          /*sums=*/4, /*group=*/4, Unit::IntegerDot, kWidths) {}

private:
  static constexpr Width kWidths[] = {
      {16, "llvm.x86.avx512.vpdpbusd.128", "avx512vnni,avx512vl", "avxvnni"},
      {32, "llvm.x86.avx512.vpdpbusd.256", "avx512vnni,avx512vl", "avxvnni"},
      {64, "llvm.x86.avx512.vpdpbusd.512", "avx512vnni", ""}};
};
} // namespace

const MatrixInstruction &pruner::vpdpbusd() {
  static const Vpdpbusd instruction;
  return instruction;
}
