//===- Hashing.h - content hashes that are stable across runs ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
/// The result depends on the bytes alone: not on the process, the byte order of
/// the machine, addresses or the version of LLVM (XXH3's output is frozen since
/// xxHash 0.8.0). It can be stored and compared years later. The hash is not
/// cryptographic; collisions can be constructed.
std::string contentHash(llvm::ArrayRef<uint8_t> bytes);
std::string contentHash(llvm::StringRef bytes);

/// The hash of a sequence of texts. It includes the length of each part, so
/// {"ab", "c"} and {"a", "bc"} differ.
std::string contentHash(llvm::ArrayRef<llvm::StringRef> parts);

/// Returns true for 32 lower-case hex digits, the form that contentHash
/// returns.
bool isContentHash(llvm::StringRef text);

} // namespace pruner

#endif // PRUNER_SUPPORT_HASHING_H
