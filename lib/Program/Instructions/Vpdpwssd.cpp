//===- Vpdpwssd.cpp - dot products of signed 16-bit integers --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// AVX512-VNNI and AVX-VNNI. Adds two products to each lane, modulo 2^32 and
/// without saturation (Intel SDM, VPDPWSSD), on the ports of multiply-adds.
class Vpdpwssd final : public MatrixInstruction {
public:
  Vpdpwssd()
      : MatrixInstruction("vpdpwssd", ElementType::I16, ElementType::I32,
                          /*aSigned=*/true, /*bSigned=*/true, /*rows=*/1,
                          /*sums=*/2, /*group=*/2, Unit::IntegerDot, kWidths) {}

private:
  static constexpr Width kWidths[] = {
      {16, "llvm.x86.avx512.vpdpwssd.128", "avx512vnni,avx512vl", "avxvnni"},
      {32, "llvm.x86.avx512.vpdpwssd.256", "avx512vnni,avx512vl", "avxvnni"},
      {64, "llvm.x86.avx512.vpdpwssd.512", "avx512vnni", ""}};
};
} // namespace

const MatrixInstruction &pruner::vpdpwssd() {
  static const Vpdpwssd instruction;
  return instruction;
}
