//===- Layout.h - the terms of a layout map ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_IR_LAYOUT_H
#define PRUNER_DIALECT_PRUNER_IR_LAYOUT_H

#include "pruner/Program/TiledProgram.h"

#include "mlir/IR/AffineExpr.h"

namespace pruner {

/// One result of a layout map that satisfies rule A1: a coordinate, its
/// `floordiv`, its `mod`, or the `mod` of its `floordiv`.
LayoutTerm toLayoutTerm(mlir::AffineExpr expr);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_LAYOUT_H
