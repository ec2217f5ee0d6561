//===- ObjectFacts.h - static facts about object code -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TARGET_OBJECTFACTS_H
#define PRUNER_TARGET_OBJECTFACTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// Counts of instructions in a range of x86-64 machine code, from disassembly.
/// They count instructions, not executions.
struct CodeFacts {
  unsigned instructions = 0;
  /// Packed fused multiply-adds by vector width in bits.
  unsigned fmaXmm = 0, fmaYmm = 0, fmaZmm = 0;
  unsigned scalarFmas = 0;
  /// Instructions that read or write memory (a read-modify-write is both).
  /// Prefetches and address computations are neither.
  unsigned loads = 0, stores = 0;
  /// Loads and stores through the stack or frame pointer. Those with an index
  /// register (`indexedStack`) access an array on the stack; the others are
  /// spills, reloads and scalars in memory.
  unsigned stackAccesses = 0, indexedStack = 0;
  unsigned calls = 0;
  unsigned gathers = 0; ///< Gathers and scatters.
  unsigned divides = 0; ///< Floating-point divisions and square roots.

  unsigned packedFmas() const { return fmaXmm + fmaYmm + fmaZmm; }
  unsigned spills() const { return stackAccesses - indexedStack; }
};

/// One natural loop.
struct LoopFacts {
  /// Byte offsets of the first instruction and of the end, from the start of
  /// the function. Cold blocks of the loop may be elsewhere.
  uint64_t begin = 0, end = 0;
  CodeFacts code;
};

struct FunctionFacts {
  std::string name;
  uint64_t sizeBytes = 0;
  CodeFacts code;              ///< The whole function.
  unsigned loops = 0;          ///< Natural loops, by header.
  unsigned innermostLoops = 0; ///< Loops without a nested loop.
  /// The innermost loop with the most packed FMAs; ties are resolved by scalar
  /// FMAs and then by instructions. None if there is no loop.
  std::optional<LoopFacts> hotLoop;
  /// Stack accesses of the function outside of the hot loop.
  unsigned stackAccessesElsewhere = 0;
};

struct ObjectFacts {
  std::vector<FunctionFacts> functions; ///< In address order.

  /// The function of this name, or null.
  const FunctionFacts *find(llvm::StringRef name) const;
};

/// Reads the facts of every function of an x86-64 ELF object. Fails on another
/// format or architecture, and on bytes that cannot be decoded.
llvm::Expected<ObjectFacts> readObjectFacts(llvm::ArrayRef<char> object);

llvm::json::Value toJSON(const CodeFacts &facts);
llvm::json::Value toJSON(const FunctionFacts &facts);
llvm::json::Value toJSON(const ObjectFacts &facts);

} // namespace pruner

#endif // PRUNER_TARGET_OBJECTFACTS_H
