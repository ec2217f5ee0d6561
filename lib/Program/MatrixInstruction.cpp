//===- MatrixInstruction.cpp - instructions that multiply matrices --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/MatrixInstruction.h"

#include "Instructions/Registry.h"

using namespace pruner;

std::optional<MatrixInstruction::Factors>
MatrixInstruction::factorsOf(bool aSigned, bool bSigned) const {
  Factors factors;
  // The second factor may be broadcast from memory by the instruction itself.
  if (aSigned == this->aSigned && bSigned == this->bSigned) {
    factors.bFirst = !isTile() && this->aSigned == this->bSigned;
    return factors;
  }
  if (isTile())
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

bool pruner::isMatrixIntrinsic(llvm::StringRef name) {
  if (name == kClearTile || name == kLoadTile || name == kStoreTile)
    return true;
  for (const MatrixInstruction *instruction : allMatrixInstructions())
    for (const MatrixInstruction::Width &width : instruction->widths)
      if (width.intrinsic == name)
        return true;
  return false;
}

llvm::ArrayRef<const MatrixInstruction *> pruner::allMatrixInstructions() {
  static const MatrixInstruction *const all[] = {
      &vpdpbusd(), &vpdpwssd(), &vdpbf16ps(), &tdpbssd(),
      &tdpbsud(),  &tdpbusd(),  &tdpbuud(),   &tdpbf16ps()};
  return all;
}

const MatrixInstruction *pruner::findMatrixInstruction(llvm::StringRef name) {
  for (const MatrixInstruction *instruction : allMatrixInstructions())
    if (instruction->name == name)
      return instruction;
  return nullptr;
}
