//===- Hashing.cpp - content hashes that are stable across runs -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Hashing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

std::string pruner::contentHash(ArrayRef<uint8_t> bytes) {
  XXH128_hash_t hash = xxh3_128bits(bytes);
  std::string digits = utohexstr(hash.high64, /*LowerCase=*/true, /*Width=*/16);
  return digits + utohexstr(hash.low64, /*LowerCase=*/true, /*Width=*/16);
}

std::string pruner::contentHash(StringRef bytes) {
  return contentHash(ArrayRef<uint8_t>(bytes.bytes_begin(), bytes.size()));
}

std::string pruner::contentHash(ArrayRef<StringRef> parts) {
  std::string text;
  for (StringRef part : parts) {
    text += std::to_string(part.size());
    text += ':';
    text += part;
  }
  return contentHash(StringRef(text));
}

bool pruner::isContentHash(StringRef text) {
  return text.size() == 32 && all_of(text, [](char c) {
           return isDigit(c) || (c >= 'a' && c <= 'f');
         });
}
