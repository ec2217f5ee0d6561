//===- Vpmaddwd.cpp - products of pairs of 16-bit integers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;

namespace {
/// AVX2 and AVX512-BW, for CPUs without VNNI. Multiplies 16-bit integers and
/// adds the products of each pair; `vpaddd` then adds the sums to the
/// accumulators (Intel SDM, VPMADDWD). Modulo 2^32, and exact for any operands:
/// the only sum of two products that does not fit 32 bits wraps.
///
/// Bytes of any signs are extended to 16 bits in registers. `vpmaddubsw`, which
/// multiplies bytes, saturates.
class Vpmaddwd final : public MatrixInstruction {
public:
  Vpmaddwd(llvm::StringLiteral name, ElementType operands)
      : MatrixInstruction(name, operands, ElementType::I32, /*aSigned=*/true,
                          /*bSigned=*/true, /*rows=*/1, /*sums=*/2,
                          /*group=*/2, ElementType::I16, Unit::IntegerPairs,
                          kWidths) {}

private:
  static constexpr Width kWidths[] = {
      {16, "llvm.x86.sse2.pmadd.wd", "sse2", ""},
      {32, "llvm.x86.avx2.pmadd.wd", "avx2", ""},
      {64, "llvm.x86.avx512.pmaddw.d.512", "avx512bw", ""}};
};
} // namespace

const MatrixInstruction &pruner::vpmaddwd() {
  static const Vpmaddwd instruction("vpmaddwd", ElementType::I16);
  return instruction;
}

const MatrixInstruction &pruner::vpmaddwdOfBytes() {
  static const Vpmaddwd instruction("vpmaddwd_bytes", ElementType::I8);
  return instruction;
}
