//===- Passes.h - static functions for dynamic shapes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// The kernels and the memory plan of a network are for fixed shapes. A function
// with `pruner.range` on its arguments becomes several functions of static
// shape, each for one size, and a plan that selects one of them for each size
// of a call.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_SPECIALIZESHAPES_PASSES_H
#define PRUNER_CONVERSION_SPECIALIZESHAPES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace pruner {

#define GEN_PASS_DECL
#include "pruner/Conversion/SpecializeShapes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pruner/Conversion/SpecializeShapes/Passes.h.inc"

} // namespace pruner

#endif // PRUNER_CONVERSION_SPECIALIZESHAPES_PASSES_H
