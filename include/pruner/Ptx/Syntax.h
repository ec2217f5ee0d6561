//===- Syntax.h - PTX text as a tree ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser reads the subset of PTX that LLVM emits for kernels: directives of
// a module, variables, entry points, registers, labels and instructions with
// their operands. It resolves every name. It does not know instructions; the
// decoder (Kernel.h) does.
//
//   auto module = ptx::parse(text);                 // "12:5: unknown name 'x'"
//   module->kernels[0].instructions[3].opcode      // "ld"
//   module->kernels[0].instructions[3].modifiers   // "global", "v4", "b32"
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_PTX_SYNTAX_H
#define PRUNER_PTX_SYNTAX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pruner::ptx {

/// Lines and columns count from 1.
struct Location {
  unsigned line = 0, column = 0;
};

enum class Space : uint8_t { Param, Global, Const, Shared, Local, Generic };

/// A variable or a kernel parameter.
struct Variable {
  std::string name;
  Space space = Space::Global;
  uint64_t bytes = 0;
  unsigned align = 1;
  /// An array of unknown size, `x[]`: dynamic shared memory.
  bool isDynamic = false;
  /// A parameter declared with `.ptr`. Its value is an address, and `align`
  /// above remains that of the parameter.
  bool isPointer = false;
  /// The alignment that `.ptr .align` promises for the address.
  unsigned pointerAlign = 1;
  /// The first bytes; the others are zero. Only for global and const.
  std::vector<uint8_t> initializer;
  bool isInitialized = false;
  Location location;
};

/// A virtual register. Registers hold bits; only predicates are different.
struct Register {
  std::string name;
  unsigned bits = 0; ///< 1 for a predicate, else 16, 32 or 64.
};

struct Operand {
  enum Kind : uint8_t {
    Register, ///< `index` of Kernel::registers.
    Special,  ///< `text`, such as "%tid.x".
    Variable, ///< `index` of Kernel::variables, plus `value`.
    Label,    ///< `index` of an instruction.
    Integer,  ///< `value`.
    Float,    ///< `value` has the bits of an f32 (`bits` 32) or f64 (64).
    Vector,   ///< `elements` of `{a, b}`.
    Pair,     ///< `elements` of `p|q`.
    Address,  ///< `[a+b]`: `elements` has a, `value` is b.
    Sink,     ///< `_`, a result that is dropped.
  };
  Kind kind = Integer;
  bool isNegated = false; ///< `!p`.
  unsigned bits = 0;
  unsigned index = 0;
  uint64_t value = 0;
  llvm::StringRef text;
  std::vector<Operand> elements;
  Location location;
};

struct Instruction {
  Location location;
  /// Predicate register of `@p`, which `@!p` negates.
  std::optional<unsigned> guard;
  bool isGuardNegated = false;
  llvm::StringRef opcode;                       ///< Up to the first dot.
  llvm::SmallVector<llvm::StringRef> modifiers; ///< Between dots.
  llvm::StringRef name;                         ///< All of `ld.global.b32`.
  std::vector<Operand> operands;
};

struct Kernel {
  std::string name;
  /// The parameters, then the other variables that the kernel uses: its own and
  /// those of the module.
  std::vector<Variable> variables;
  unsigned numParameters = 0;
  std::vector<Register> registers; ///< Those that an instruction names.
  std::vector<Instruction> instructions;
  /// `.maxntid` and `.reqntid`; missing dimensions are 1.
  std::optional<std::array<unsigned, 3>> maxThreads, requiredThreads;
  Location location;
};

/// A parsed module. It owns the text that its StringRefs point to.
struct Module {
  unsigned version = 0; ///< As major * 10 + minor.
  std::string target;   ///< Such as "sm_80".
  std::vector<Kernel> kernels;

  /// The kernel of this name, or null.
  const Kernel *find(llvm::StringRef name) const;

  std::unique_ptr<std::string> text;
};

/// The largest text, and limits of what it may declare. Hostile text cannot
/// make the parser use more than about 100 bytes of memory per byte of text.
constexpr uint64_t kMaxTextBytes = uint64_t(16) << 20;
constexpr unsigned kMaxInstructions = 1 << 19, kMaxRegisters = 1 << 20,
                   kMaxVariables = 1 << 8;
constexpr uint64_t kMaxVariableBytes = uint64_t(4) << 20;

/// Parses a module. The first error ends it: "<line>:<column>: <message>".
llvm::Expected<Module> parse(llvm::StringRef text);

} // namespace pruner::ptx

#endif // PRUNER_PTX_SYNTAX_H
