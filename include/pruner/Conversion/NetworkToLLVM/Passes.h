//===- Passes.h - networks to buffers and loops -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NETWORKTOLLVM_PASSES_H
#define PRUNER_CONVERSION_NETWORKTOLLVM_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_CONVERSION_NETWORKTOLLVM_PASSES_H
