//===- Decoder.h - instructions in executable form --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decoded instruction is a function that computes 32 lanes at a time, and the
// slots that it reads and writes. A slot holds one value per lane. Registers,
// constants, addresses of variables and special registers are all slots, so
// functions do not distinguish them.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_PTX_DECODER_H
#define PRUNER_LIB_PTX_DECODER_H

#include "pruner/Ptx/Machine.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Twine.h"

namespace pruner::ptx {

constexpr unsigned kWarpSize = 32;

struct Warp;
struct Op;

/// Executes an instruction for the lanes whose bit is set.
using Execute = void (*)(Warp &warp, const Op &op, uint32_t lanes);

/// Values of 32 lanes: `offset` bytes into the values of a warp. Predicates
/// are one mask of 32 bits. Bit l of the mask at `index` states whether lane l
/// was written.
struct Slot {
  uint32_t offset = 0, index = 0;
  uint8_t bytes = 0; ///< Of a lane; 0 for a predicate.
};

/// How bytes of the results follow from bytes of the sources. LLVM loads
/// several narrow elements as one wide register, of which some were never
/// written, and takes it apart.
enum class ByteFlow : uint8_t {
  All, ///< Every byte depends on all bytes of all sources.
  Copy,
  Unpack, ///< mov {a, b}, c
  Pack,   ///< mov a, {b, c}
  Extend, ///< Integers to wider or narrower ones.
  ShiftLeft,
  ShiftRight,
  And,
  Or,
  Xor,
  Permute,
  Halves, ///< Two values, each half of a register.
  Carry,  ///< A byte depends on the bytes below it: integer sums, products.
};

/// How the scheduler treats an instruction.
enum class Flow : uint8_t {
  Next,
  Branch,
  Exit,
  Converge, ///< Runs when all lanes of its mask, the last source, arrived, or
            ///< with Op::isAligned all lanes of the warp.
  Barrier,  ///< Of the block. Sources: the barrier, and perhaps a count.
};

struct Op {
  Execute execute = nullptr;
  uint32_t firstSlot = 0; ///< Results, then sources.
  uint8_t numResults = 0, numSources = 0;
  Flow flow = Flow::Next;
  ByteFlow byteFlow = ByteFlow::All;
  Pipe pipe = Pipe::Alu;
  bool hasGuard = false, isGuardNegated = false;
  /// `execute` states which lanes of its results are defined. For others, a
  /// lane is defined if it is in all sources.
  bool tracksDefined = false;
  /// All threads of a warp must execute a barrier, or an instruction that
  /// converges, together.
  bool isAligned = false;
  Space space = Space::Generic;
  uint8_t elementBytes = 0, elements = 1; ///< Of a memory access.
  bool isSigned = false;      ///< Shifts and extensions fill with the sign.
  bool isNegated = false;     ///< The predicate among the sources is `!p`.
  bool isStrong = false;      ///< Atomic, relaxed or volatile accesses.
  bool isNonCoherent = false; ///< ld.global.nc
  /// The first source is an address in a register of 32 bits.
  bool isShortAddress = false;
  uint8_t extendedBytes = 0; ///< With ByteFlow::Extend: those that are kept.
  uint32_t target = 0;       ///< Of a branch.
  uint32_t steps = 1;        ///< Towards LaunchOptions::stepLimit.
  uint64_t immediate = 0;    ///< The offset of an address, or other constants.
  uint64_t immediate2 = 0;
  Slot guard;
  unsigned bytes() const { return elementBytes * elements; }
};

enum class SpecialRegister : uint8_t {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockDimX,
  BlockDimY,
  BlockDimZ,
  BlockX,
  BlockY,
  BlockZ,
  GridDimX,
  GridDimY,
  GridDimZ,
  Lane,
  WarpId,
  LaneMaskLt,
  LaneMaskLe,
  LaneMaskEq,
  LaneMaskGe,
  LaneMaskGt,
};

/// A variable in its space. Addresses of global and const variables are those
/// of buffers, after the arguments.
struct PlacedVariable {
  uint64_t address = 0;
  const Variable *variable = nullptr;
};

struct DecodedKernel {
  const Kernel *kernel = nullptr;
  /// The chip of the module: 80 for sm_80 and sm_80a. 0 if the target is not a
  /// chip.
  unsigned chip = 0;
  std::vector<Op> ops;
  std::vector<Slot> slots; ///< Of all ops.
  uint32_t valueBytes = 0, numSlots = 0;
  struct Constant {
    Slot slot;
    unsigned bits;
    uint64_t value;
  };
  std::vector<Constant> constants;
  std::vector<std::pair<Slot, SpecialRegister>> specials;
  std::vector<PlacedVariable> shared, local, global; ///< By address.
  std::vector<uint32_t> parameterOffsets;
  uint32_t parameterBytes = 0;
  uint64_t sharedBytes = 0, localBytes = 0;
  /// The narrowest accesses, in bytes.
  unsigned sharedGranule = 4, globalGranule = 4;
};

/// Addresses. Buffer n begins at bufferAddress(n); addresses between buffers
/// are invalid. Generic addresses of shared and local memory have a high bit.
constexpr uint64_t kBufferStride = uint64_t(1) << 40, kBufferStart = uint64_t(1)
                                                                     << 39;
constexpr uint64_t bufferAddress(uint64_t n) {
  return n * kBufferStride + kBufferStart;
}
constexpr uint64_t kGenericShared = uint64_t(1) << 62,
                   kGenericLocal = uint64_t(1) << 61;
/// Shared variables have addresses above 0 and gaps in between, which catches
/// accesses next to a variable. The banks of a variable do not depend on it.
constexpr uint64_t kSharedStart = 1024, kVariableGap = 128;

enum class TypeClass : uint8_t { Bits, Unsigned, Signed, Float, BFloat, Pred };
struct Type {
  TypeClass kind = TypeClass::Bits;
  unsigned bits = 0;
  bool isPacked = false; ///< Two of 16 bits.

  bool isFloat() const {
    return kind == TypeClass::Float || kind == TypeClass::BFloat;
  }
  bool isInteger() const {
    return kind == TypeClass::Bits || kind == TypeClass::Unsigned ||
           kind == TypeClass::Signed;
  }
  bool isSigned() const { return kind == TypeClass::Signed; }
};
constexpr Type kPred{TypeClass::Pred, 1, false};
constexpr Type kB32{TypeClass::Bits, 32, false};

/// Decodes one instruction. The functions of Instructions/ take the modifiers
/// that they support, in the order of the text, and the operands. A modifier
/// that remains is an error.
class Decoder {
public:
  Decoder(const Module &module, const Kernel &kernel, DecodedKernel &out);

  llvm::Error decode();

  // Modifiers.
  bool take(llvm::StringRef modifier);
  /// The first of `modifiers` that is next, or an empty string.
  llvm::StringRef takeOne(llvm::ArrayRef<llvm::StringRef> modifiers);
  /// Takes a type. std::nullopt if the next modifier is not a type.
  std::optional<Type> takeType();
  /// Takes a type. States an error if the next modifier is not a type.
  Type type();
  llvm::StringRef nextModifier() const;
  bool isOpcode(llvm::StringRef opcode) const;
  /// Whether the module is for the chip sm_`chip` or later; else states an
  /// error.
  bool requireChip(unsigned chip);

  // Operands, which are consumed in order. Errors are stated; callers continue.
  unsigned operandsLeft() const;
  const Operand *peek() const;
  /// A result of a type. `mayBeWider`: loads and conversions extend to the
  /// register; returns the bits of the register.
  unsigned result(Type type, bool mayBeWider = false);
  unsigned source(Type type, bool mayBeWider = false);
  /// `{a, b}`, or a single operand. Returns the bits of the registers.
  unsigned results(Type type, unsigned count, bool mayBeWider = false);
  unsigned sources(Type type, unsigned count, bool mayBeWider = false);
  /// `a` or `a|b`.
  void resultPair(Type first, Type second);
  /// `[a+b]`: adds a source, and returns b. The source has 64 bits; if it is
  /// the first one, in shared or local memory, it may have 32
  /// (Op::isShortAddress).
  uint64_t address();
  /// `[parameter+b]`: returns the offset of `bytes` bytes in the parameters.
  uint64_t parameterAddress(unsigned bytes);
  /// The instruction that a branch goes to.
  uint32_t label();
  /// Takes a clock such as `%clock64`, which changes between two reads. Returns
  /// the lowest of its bits that `type` reads; std::nullopt if the next operand
  /// is something else.
  std::optional<unsigned> takeClock(Type type);
  /// Whether the next operand is `!p`, which then reads as `p`.
  bool takeNegation();
  /// A constant.
  uint64_t constant(const llvm::Twine &what);
  /// States an error about the instruction; the first one counts.
  void fail(const llvm::Twine &what);
  void unsupportedType(Type type);

  Op op;
  const Kernel &kernel;
  DecodedKernel &out;

private:
  llvm::Error decodeOne(const Instruction &instruction);
  void placeVariables();
  void failAt(Location where, const llvm::Twine &what);
  Slot slotOf(const Operand &operand, Type type, bool isResult, bool mayBeWider,
              unsigned &bits);
  Slot newSlot(unsigned bits);
  Slot constantSlot(uint64_t value, unsigned bits);
  std::optional<Slot> specialSlot(llvm::StringRef name);
  uint64_t addressOf(unsigned variable) const;
  void addResult(Slot slot);
  void addSource(Slot slot);

  const Module &module;
  const Instruction *instruction = nullptr;
  size_t modifier = 0, operand = 0;
  bool isNegationTaken = false;
  std::string message;
  llvm::SmallVector<Slot, 8> resultSlots, sourceSlots;
  std::vector<std::optional<Slot>> registerSlots;
  std::vector<uint64_t> variableAddresses;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, Slot> constantSlots;
  llvm::DenseMap<unsigned, Slot> specialSlots;
  std::optional<Slot> sinkSlot; ///< Of results that are dropped.
  uint64_t nextOffset = 0;
};

/// An opcode of PTX and what decodes it.
struct InstructionClass {
  llvm::StringLiteral opcode;
  void (*decode)(Decoder &decoder);
};

} // namespace pruner::ptx

#endif // PRUNER_LIB_PTX_DECODER_H
