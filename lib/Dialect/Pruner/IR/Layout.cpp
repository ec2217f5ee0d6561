//===- Layout.cpp - the terms of a layout map -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/Layout.h"

using namespace mlir;
using namespace pruner;

LayoutTerm pruner::toLayoutTerm(AffineExpr expr) {
  LayoutTerm term;
  auto peel = [&](AffineExprKind kind, int64_t &constant) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || binary.getKind() != kind)
      return;
    constant = cast<AffineConstantExpr>(binary.getRHS()).getValue();
    expr = binary.getLHS();
  };
  peel(AffineExprKind::Mod, term.mod);
  peel(AffineExprKind::FloorDiv, term.div);
  term.coord = cast<AffineDimExpr>(expr).getPosition();
  return term;
}
