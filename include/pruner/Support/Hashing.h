//===- Hashing.h - content hashes that outlive a run ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_HASHING_H
#define PRUNER_SUPPORT_HASHING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace pruner {

/// The 128-bit XXH3 hash of `bytes` as 32 lower-case hex digits, most
/// significant first (XXH3's canonical form).
///
/// The answer depends on the bytes alone: not on the process, the machine's
/// byte order, the address of anything or the version of LLVM (XXH3's output is
/// frozen since xxHash 0.8.0). It may therefore be stored and compared years
/// later. It is not cryptographic: two texts made to collide will collide.
std::string contentHash(llvm::ArrayRef<uint8_t> bytes);
std::string contentHash(llvm::StringRef bytes);

/// The hash of a sequence of texts. The length of each part is hashed with it,
/// so {"ab", "c"} and {"a", "bc"} differ.
std::string contentHash(llvm::ArrayRef<llvm::StringRef> parts);

/// True for 32 lower-case hex digits, the form that contentHash gives.
bool isContentHash(llvm::StringRef text);

} // namespace pruner

#endif // PRUNER_SUPPORT_HASHING_H
