//===- PackedArguments.h - constants in a kernel's own layout ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule may require constant arguments to be packed before the kernel
// runs. The object code then contains a packing function for each. The caller
// of such a kernel packs once; times are those of the kernel alone.

#ifndef PRUNER_BUILDER_PACKEDARGUMENTS_H
#define PRUNER_BUILDER_PACKEDARGUMENTS_H

#include "pruner/Runtime/GuardedBuffer.h"
#include "pruner/Target/JitModule.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace pruner {

/// An argument that the kernel reads in packed form.
struct ArgumentPack {
  unsigned argument = 0;
  std::string entry; ///< Symbol of void(const void *plain, void *packed).
  int64_t bytes = 0; ///< Bytes of the packed memory.
};

/// The fact `packs` of a candidate: `[{"argument": 1, "entry": "...", "bytes":
/// ...}, ...]`.
llvm::json::Array toJSON(llvm::ArrayRef<ArgumentPack> packs);

/// Reads the packs in the facts of a candidate whose task has `numInputs`
/// inputs.
llvm::Expected<std::vector<ArgumentPack>>
readPacks(const llvm::json::Object &facts, size_t numInputs);

/// The packed memory for one kernel.
class PackedArguments {
public:
  /// Looks up the functions and allocates memory. Fails if a function is
  /// missing or there is not enough memory.
  static llvm::Expected<PackedArguments>
  create(JitModule &module, llvm::ArrayRef<ArgumentPack> packs);

  /// Packs from `plain`, the addresses of all unpacked arguments, and returns
  /// the arguments of the kernel.
  std::vector<void *> pack(llvm::ArrayRef<void *> plain);

  /// Bytes of an argument's packed memory; none if it is not packed.
  std::optional<size_t> bytes(size_t argument) const;

  /// Describes writes outside of the packed memory, if there were any.
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
