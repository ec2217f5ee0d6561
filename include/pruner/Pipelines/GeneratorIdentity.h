//===- GeneratorIdentity.h - the identity of the code generator -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_PIPELINES_GENERATORIDENTITY_H
#define PRUNER_PIPELINES_GENERATORIDENTITY_H

#include "llvm/ADT/StringRef.h"

namespace pruner {

/// A hash of 32 hex digits over everything that turns a scheduled task into
/// code: the sources of the components listed in
/// cmake/modules/PrunerIdentity.cmake, including comments, and the version of
/// LLVM. Two builds with the same identity generate the same code. The same
/// sources have the same identity on every machine.
llvm::StringRef generatorIdentity();

} // namespace pruner

#endif // PRUNER_PIPELINES_GENERATORIDENTITY_H
