//===- Method.h - the way in which results are checked ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_VERIFICATION_METHOD_H
#define PRUNER_VERIFICATION_METHOD_H

#include "llvm/ADT/StringRef.h"

namespace pruner {

/// Names the way in which results are checked; it changes with it, so that a
/// record tells by which it was verified.
inline constexpr llvm::StringLiteral verificationMethod =
    "running-error-bounds-4";

} // namespace pruner

#endif // PRUNER_VERIFICATION_METHOD_H
