//===- Passes.h - functions of dynamic shape made static ------ -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The kernels and the plan for memory of a network are for fixed shapes. A
// function with `pruner.range` on its arguments becomes several functions of
// static shape, each for one size, and a plan that says which of them runs at
// which size.
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
