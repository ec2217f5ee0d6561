//===- GeneratorIdentity.cpp - the identity of the code generator ---------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Pipelines/GeneratorIdentity.h"

#include "GeneratorIdentity.inc"

llvm::StringRef pruner::generatorIdentity() {
  return PRUNER_GENERATOR_IDENTITY;
}
