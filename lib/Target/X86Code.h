//===- X86Code.h - decoded x86-64 functions ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TARGET_X86CODE_H
#define PRUNER_TARGET_X86CODE_H

#include "pruner/Target/ObjectFacts.h"

namespace pruner {

/// One decoded instruction, reduced to what the facts need.
struct X86Instruction {
  uint64_t offset = 0; ///< From the start of the function.
  uint64_t size = 0;
  CodeFacts facts;           ///< Facts about this instruction.
  bool isTerminator = false; ///< Ends a basic block (jumps, returns, traps).
  bool fallsThrough = true;  ///< Control may reach the next instruction.
  /// The target of a direct branch inside the function.
  std::optional<uint64_t> target;
};

struct X86Function {
  std::string name;
  uint64_t sizeBytes = 0;
  std::vector<X86Instruction> code;
};

/// Disassembles every function symbol of the object.
llvm::Expected<std::vector<X86Function>>
decodeObject(llvm::ArrayRef<char> object);

/// A natural loop as a set of instruction indices, ascending.
struct NaturalLoop {
  std::vector<size_t> instructions;
  bool innermost = true;
};

/// The natural loops of a function, one per header, in the order of their
/// headers. A back edge goes to a block that dominates its source.
std::vector<NaturalLoop> findLoops(const X86Function &function);

} // namespace pruner

#endif // PRUNER_TARGET_X86CODE_H
