//===- Method.h - the verification method -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_VERIFICATION_METHOD_H
#define PRUNER_VERIFICATION_METHOD_H

#include "llvm/ADT/StringRef.h"

namespace pruner {

/// The name of the verification method. It changes with the method, so that a
/// record states how it was verified.
inline constexpr llvm::StringLiteral verificationMethod =
    "running-error-bounds-16";

} // namespace pruner

#endif // PRUNER_VERIFICATION_METHOD_H
