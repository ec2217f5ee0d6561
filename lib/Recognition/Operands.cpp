//===- Operands.cpp - types and maps of operands as plain data ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Recognition/Operands.h"

#include "pruner/Support/Sizes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace pruner;

int64_t pruner::bytesOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return 0;
  return mulSizes(boxSize(tensor.getShape()),
                  llvm::divideCeil(tensor.getElementTypeBitWidth(), 8));
}

std::string pruner::shapeText(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](int64_t extent) {
    if (ShapedType::isDynamic(extent))
      os << '?';
    else
      os << extent;
  };
  llvm::interleave(shape, os, print, "x");
  return text;
}

/// Adds `factor * expr` to `out`.
static bool addLinear(AffineExpr expr, int64_t factor, LinearExpr &out) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    out.coeffs[dim.getPosition()] += factor;
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    out.constant += factor * constant.getValue();
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, out) &&
           addLinear(binary.getRHS(), factor, out);
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() == AffineExprKind::Mul && constant)
    return addLinear(binary.getLHS(), factor * constant.getValue(), out);
  return false;
}

std::optional<AccessMap> pruner::toAccessMap(AffineMap map) {
  AccessMap result;
  for (AffineExpr expr : map.getResults()) {
    LinearExpr linear;
    linear.coeffs.assign(map.getNumDims(), 0);
    if (!addLinear(expr, 1, linear))
      return std::nullopt;
    result.push_back(std::move(linear));
  }
  return result;
}

AffineMap pruner::toAffineMap(const AccessMap &map, unsigned numDims,
                              MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (const LinearExpr &linear : map) {
    AffineExpr expr = getAffineConstantExpr(linear.constant, context);
    for (unsigned d = 0; d < linear.coeffs.size(); ++d)
      if (linear.coeffs[d] != 0)
        expr = expr + getAffineDimExpr(d, context) * linear.coeffs[d];
    results.push_back(expr);
  }
  return AffineMap::get(numDims, 0, results, context);
}
