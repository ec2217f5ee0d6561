//===- MatrixInstruction.cpp - instructions that multiply matrices --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/MatrixInstruction.h"

#include "Instructions/Registry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace pruner;

bool MatrixInstruction::Width::exists(
    llvm::function_ref<bool(llvm::StringRef)> has) const {
  auto hasAll = [&](llvm::StringRef list) {
    llvm::SmallVector<llvm::StringRef, 4> names;
    list.split(names, ',');
    return !list.empty() && llvm::all_of(names, has);
  };
  return hasAll(features) || hasAll(orFeatures);
}

std::optional<MatrixInstruction::Factors>
MatrixInstruction::factorsOf(bool aSigned, bool bSigned) const {
  Factors factors;
  if (extends())
    return factors;
  // The second factor may be broadcast from memory by the instruction itself.
  if (aSigned == this->aSigned && bSigned == this->bSigned) {
    factors.bFirst = isDot() && this->aSigned == this->bSigned;
    return factors;
  }
  if (!isDot())
    return std::nullopt;
  factors.bFirst = aSigned == this->bSigned && bSigned == this->aSigned;
  factors.shiftsA = aSigned && bSigned && this->bSigned;
  if (factors.bFirst || factors.shiftsA)
    return factors;
  return std::nullopt;
}

const MatrixInstruction::Width *MatrixInstruction::width(int64_t bytes) const {
  for (const Width &width : widths)
    if (width.bytes == bytes)
      return &width;
  return nullptr;
}

llvm::StringRef pruner::roundToBrainFloats(int64_t bytes) {
  switch (bytes) {
  case 32:
    return "llvm.x86.avx512bf16.cvtneps2bf16.256";
  case 64:
    return "llvm.x86.avx512bf16.cvtneps2bf16.512";
  default:
    return "";
  }
}

bool pruner::isMatrixIntrinsic(llvm::StringRef name,
                               llvm::function_ref<bool(llvm::StringRef)> has) {
  if (name == kClearTile || name == kLoadTile || name == kStoreTile)
    return has("amx-tile");
  if (name == roundToBrainFloats(64))
    return has("avx512bf16");
  if (name == roundToBrainFloats(32))
    return has("avx512bf16") && has("avx512vl");
  for (const MatrixInstruction *instruction : allMatrixInstructions())
    for (const MatrixInstruction::Width &width : instruction->widths)
      if (width.intrinsic == name)
        return width.exists(has);
  return false;
}

llvm::ArrayRef<const MatrixInstruction *> pruner::allMatrixInstructions() {
  // Schedules of databases name them, but draws depend on their order. New ones
  // come last.
  static const MatrixInstruction *const all[] = {
      &vpdpbusd(),       &vpdpwssd(),          &vdpbf16ps(),
      &tdpbssd(),        &tdpbsud(),           &tdpbusd(),
      &tdpbuud(),        &tdpbf16ps(),         &tdpfp16ps(),
      &vpdpbssd(),       &vpdpbsud(),          &vpdpbuud(),
      &vpmaddwd(),       &vpmaddwdOfBytes(),   &mma16x8x16F16(),
      &mma16x8x16BF16(), &mma16x8x8F16(),      &mma16x8x32S8(),
      &mma16x8x32S8U8(), &mma16x8x32U8S8(),    &mma16x8x32U8(),
      &mma16x8x8F32(),   &mma16x8x16F16Sums(), &mma16x8x8F16Sums(),
      &mma8x8x16S8(),    &mma8x8x16S8U8(),     &mma8x8x16U8S8(),
      &mma8x8x16U8()};
  return all;
}

const MatrixInstruction *pruner::findMatrixInstruction(llvm::StringRef name) {
  for (const MatrixInstruction *instruction : allMatrixInstructions())
    if (instruction->name == name)
      return instruction;
  return nullptr;
}
