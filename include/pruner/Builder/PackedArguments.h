//===- PackedArguments.h - constants in a kernel's own layout ---*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule may have constant arguments packed before the kernel runs. The
// object code then holds a function for each that does it. Whoever calls such a
// kernel packs first, once; what is timed is the kernel alone.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BUILDER_PACKEDARGUMENTS_H
#define PRUNER_BUILDER_PACKEDARGUMENTS_H

#include "pruner/Runtime/GuardedBuffer.h"
#include "pruner/Target/JitModule.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace pruner {

/// An argument that a kernel reads packed.
struct ArgumentPack {
  unsigned argument = 0;
  std::string entry; ///< Symbol of void(const void *plain, void *packed).
  int64_t bytes = 0; ///< Of the packed memory.
};

/// `[{"argument": 1, "entry": "...", "bytes": ...}, ...]`, the fact `packs` of
/// a candidate.
llvm::json::Array toJSON(llvm::ArrayRef<ArgumentPack> packs);

/// The packs among the facts of a candidate whose task has `numInputs` inputs.
llvm::Expected<std::vector<ArgumentPack>>
readPacks(const llvm::json::Object &facts, size_t numInputs);

/// The packed memory for one kernel.
class PackedArguments {
public:
  /// Looks up the functions and allocates; fails when one is missing or there
  /// is no memory.
  static llvm::Expected<PackedArguments>
  create(JitModule &module, llvm::ArrayRef<ArgumentPack> packs);

  /// Packs from `plain`, the addresses of all arguments as they come, and
  /// returns what the kernel is called with.
  std::vector<void *> pack(llvm::ArrayRef<void *> plain);

  /// Bytes of an argument's packed memory; nothing of one that is not packed.
  std::optional<size_t> bytes(size_t argument) const;

  /// What was written beside the packed memory, if anything.
  std::optional<std::string> damage() const;
  void open(OpenFences &fences);

private:
  struct Slot {
    unsigned argument;
    void *function;
    GuardedBuffer memory;
  };
  std::vector<Slot> slots;
};

} // namespace pruner

#endif // PRUNER_BUILDER_PACKEDARGUMENTS_H
