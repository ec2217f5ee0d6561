//===- DeviceMath.cpp - functions that GPU kernels compute ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/DeviceMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// LLVM writes remainders as x - trunc(x / y) y on GPUs, which has no right
/// digit when the quotient is large.
static bool needsDevice(Operation *op) {
  return isa<arith::RemFOp>(op) ||
         isa_and_present<math::MathDialect>(op->getDialect());
}

bool pruner::hasDeviceInstruction(Operation *op) {
  return !needsDevice(op) ||
         isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::FloorOp,
             math::TruncOp, math::RoundOp, math::RoundEvenOp, math::SqrtOp,
             math::FmaOp, math::CopySignOp, math::CountLeadingZerosOp,
             math::CountTrailingZerosOp, math::CtPopOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp>(op);
}

std::string pruner::whyNotOnDevice(Operation *op) {
  if (hasDeviceInstruction(op) || isa<math::ClampFOp>(op))
    return "";
  Type type = getElementTypeOrSelf(op->getOperand(0).getType());
  bool isNarrow = type.isF16() || type.isBF16() || type.isF32();
  if (isNarrow && !isa<arith::RemFOp, math::IsNormalOp>(op))
    return "";
  // The root has an instruction.
  if (isa<math::RsqrtOp>(op) && type.isF64())
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "a GPU has no instruction for it on '" << type
     << "', and there is no expansion";
  if (isa<FloatType>(type) && !isNarrow && !isa<arith::RemFOp>(op))
    os << ", expected f32 or a narrower float";
  return text;
}
