//===- GeneratorIdentity.cpp - the identity of the code generator ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Pipelines/GeneratorIdentity.h"

#include "GeneratorIdentity.inc"

llvm::StringRef pruner::generatorIdentity() {
  return PRUNER_GENERATOR_IDENTITY;
}
