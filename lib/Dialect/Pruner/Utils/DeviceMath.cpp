//===- DeviceMath.cpp - functions that GPU kernels compute ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/DeviceMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// Functions of LLVM for which targets without a C library have no code.
static bool isLibraryFunction(Operation *op) {
  static const llvm::StringSet<> names = {
      "acos", "asin",  "atan",   "atan2", "cos",   "cosh", "exp",  "exp10",
      "exp2", "frexp", "ldexp",  "log",   "log10", "log2", "modf", "pow",
      "powi", "sin",   "sincos", "sinh",  "tan",   "tanh"};
  StringRef name = op->getName().getStringRef();
  return name.consume_front("llvm.intr.") && names.contains(name);
}

/// LLVM writes remainders as x - trunc(x / y) y on GPUs, which has no right
/// digit when the quotient is large.
static bool needsDevice(Operation *op) {
  return isa<arith::RemFOp>(op) || isLibraryFunction(op) ||
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

std::string pruner::whyNoDeviceCode(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (op->getName().getDialectNamespace() == "omp") {
    os << "a GPU cannot run the threads of the host";
    return text;
  }
  const bool converts =
      isa<arith::SIToFPOp, arith::UIToFPOp, arith::FPToSIOp, arith::FPToUIOp>(
          op);
  auto check = [&](TypeRange types) {
    for (Type each : types) {
      Type type = getElementTypeOrSelf(each);
      auto integer = dyn_cast<IntegerType>(type);
      if (isa<Float80Type, Float128Type>(type))
        os << "a GPU has no instruction for '" << type
           << "', expected f64 or a narrower type";
      else if (converts && integer && integer.getWidth() > 64)
        os << "a GPU has no conversion for '" << type
           << "', expected an integer of at most 64 bits";
      if (!text.empty())
        return;
    }
  };
  check(op->getOperandTypes());
  if (text.empty())
    check(op->getResultTypes());
  return text;
}

std::string pruner::whyNotOnDevice(Operation *op) {
  if (std::string why = whyNoDeviceCode(op); !why.empty())
    return why;
  if (hasDeviceInstruction(op) || isa<math::ClampFOp>(op))
    return "";
  if (isLibraryFunction(op))
    return "a GPU has no library with it, expected an op of the math dialect";
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
