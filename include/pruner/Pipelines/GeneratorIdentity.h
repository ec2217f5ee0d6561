//===- GeneratorIdentity.h - which code generator this is -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PIPELINES_GENERATORIDENTITY_H
#define PRUNER_PIPELINES_GENERATORIDENTITY_H

#include "llvm/ADT/StringRef.h"

namespace pruner {

/// 32 hex digits that stand for everything that turns a scheduled task into
/// code: the sources of the rooms named in cmake/modules/PrunerIdentity.cmake,
/// comments included, and the version of LLVM. Two builds with the same
/// identity make the same code; the same sources have the same identity
/// wherever they are built.
llvm::StringRef generatorIdentity();

} // namespace pruner

#endif // PRUNER_PIPELINES_GENERATORIDENTITY_H
