//===- Decoder.cpp - instructions in executable form ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decoder.h"

#include "Instructions/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace pruner::ptx;

/// Values and masks of one warp. A block has up to 32 warps.
static constexpr uint64_t kMaxValueBytes = uint64_t(8) << 20;
static constexpr uint64_t kMaxSharedBytes = uint64_t(256) << 10;
static constexpr uint64_t kMaxLocalBytes = uint64_t(512) << 10;

Decoder::Decoder(const Module &module, const Kernel &kernel, DecodedKernel &out)
    : kernel(kernel), out(out), module(module) {
  out.kernel = &kernel;
  StringRef target = module.target;
  if (!target.consume_front("sm_") || target.consumeInteger(10, out.chip))
    out.chip = 0;
  registerSlots.resize(kernel.registers.size());
  placeVariables();
}

void Decoder::placeVariables() {
  uint64_t nextShared = kSharedStart, nextLocal = kVariableGap;
  unsigned nextBuffer = kernel.numParameters;
  // Dynamic shared memory begins behind all static variables.
  SmallVector<unsigned> order;
  for (unsigned n = 0; n != kernel.variables.size(); ++n)
    if (!kernel.variables[n].isDynamic)
      order.push_back(n);
  for (unsigned n = 0; n != kernel.variables.size(); ++n)
    if (kernel.variables[n].isDynamic)
      order.push_back(n);
  variableAddresses.resize(kernel.variables.size());
  for (unsigned n : order) {
    const Variable &variable = kernel.variables[n];
    uint64_t &address = variableAddresses[n];
    auto place = [&](uint64_t &next, std::vector<PlacedVariable> &list) {
      address = next = alignTo(next, std::max<uint64_t>(variable.align, 128));
      if (!variable.isDynamic)
        next += variable.bytes + kVariableGap;
      list.push_back({address, &variable});
    };
    switch (variable.space) {
    case Space::Param:
      out.parameterBytes = alignTo(out.parameterBytes, variable.align);
      out.parameterOffsets.push_back(out.parameterBytes);
      address = out.parameterBytes;
      out.parameterBytes += variable.bytes;
      break;
    case Space::Shared:
      place(nextShared, out.shared);
      break;
    case Space::Local:
      place(nextLocal, out.local);
      break;
    case Space::Global:
    case Space::Const:
    case Space::Generic:
      address = bufferAddress(nextBuffer++);
      out.global.push_back({address, &variable});
      break;
    }
  }
  out.sharedBytes = nextShared;
  out.localBytes = nextLocal;
}

Slot Decoder::newSlot(unsigned bits) {
  uint64_t bytes = bits == 1 ? 4 : uint64_t(kWarpSize) * bits / 8;
  nextOffset = alignTo(nextOffset, std::min<uint64_t>(bytes, 64));
  if (nextOffset + bytes > kMaxValueBytes) {
    fail("the kernel has too many values");
    return {};
  }
  Slot slot{uint32_t(nextOffset), out.numSlots++, uint8_t(bits / 8)};
  nextOffset += bytes;
  out.valueBytes = uint32_t(nextOffset);
  return slot;
}

Slot Decoder::constantSlot(uint64_t value, unsigned bits) {
  if (bits < 64)
    value &= maskTrailingOnes<uint64_t>(bits);
  auto [found, isNew] = constantSlots.try_emplace({value, bits});
  if (isNew) {
    found->second = newSlot(bits);
    out.constants.push_back({found->second, bits, value});
  }
  return found->second;
}

/// Of a register that counts time: its first bit in the whole clock, and the
/// number of its bits.
static std::optional<std::pair<unsigned, unsigned>> clockBits(StringRef name) {
  using Bits = std::pair<unsigned, unsigned>;
  return StringSwitch<std::optional<Bits>>(name)
      .Cases("%clock", "%globaltimer_lo", Bits(0, 32))
      .Cases("%clock_hi", "%globaltimer_hi", Bits(32, 32))
      .Cases("%clock64", "%globaltimer", Bits(0, 64))
      .Default(std::nullopt);
}

std::optional<Slot> Decoder::specialSlot(StringRef name) {
  using S = SpecialRegister;
  auto found = StringSwitch<std::optional<S>>(name)
                   .Case("%tid.x", S::ThreadX)
                   .Case("%tid.y", S::ThreadY)
                   .Case("%tid.z", S::ThreadZ)
                   .Case("%ntid.x", S::BlockDimX)
                   .Case("%ntid.y", S::BlockDimY)
                   .Case("%ntid.z", S::BlockDimZ)
                   .Case("%ctaid.x", S::BlockX)
                   .Case("%ctaid.y", S::BlockY)
                   .Case("%ctaid.z", S::BlockZ)
                   .Case("%nctaid.x", S::GridDimX)
                   .Case("%nctaid.y", S::GridDimY)
                   .Case("%nctaid.z", S::GridDimZ)
                   .Case("%laneid", S::Lane)
                   .Case("%warpid", S::WarpId)
                   .Case("%lanemask_lt", S::LaneMaskLt)
                   .Case("%lanemask_le", S::LaneMaskLe)
                   .Case("%lanemask_eq", S::LaneMaskEq)
                   .Case("%lanemask_ge", S::LaneMaskGe)
                   .Case("%lanemask_gt", S::LaneMaskGt)
                   .Default(std::nullopt);
  if (!found)
    return std::nullopt;
  auto [slot, isNew] = specialSlots.try_emplace(unsigned(*found));
  if (isNew) {
    slot->second = newSlot(32);
    out.specials.emplace_back(slot->second, *found);
  }
  return slot->second;
}

void Decoder::failAt(Location where, const Twine &what) {
  if (message.empty())
    message =
        (Twine(where.line) + ":" + Twine(where.column) + ": " + what).str();
}

void Decoder::fail(const Twine &what) {
  failAt(instruction ? instruction->location : kernel.location,
         instruction ? "'" + instruction->name + "': " + what : what);
}

void Decoder::unsupportedType(Type type) {
  if (modifier == 0)
    return fail("expected a type");
  fail("type '." + instruction->modifiers[modifier - 1] + "' is not supported");
}

StringRef Decoder::nextModifier() const {
  return modifier < instruction->modifiers.size()
             ? instruction->modifiers[modifier]
             : StringRef();
}

bool Decoder::take(StringRef name) {
  if (nextModifier() != name || name.empty())
    return false;
  ++modifier;
  return true;
}

StringRef Decoder::takeOne(ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (take(name))
      return name;
  return {};
}

std::optional<Type> Decoder::takeType() {
  using T = TypeClass;
  auto found = StringSwitch<std::optional<Type>>(nextModifier())
                   .Case("pred", kPred)
                   .Case("b8", Type{T::Bits, 8})
                   .Case("b16", Type{T::Bits, 16})
                   .Case("b32", Type{T::Bits, 32})
                   .Case("b64", Type{T::Bits, 64})
                   .Case("u8", Type{T::Unsigned, 8})
                   .Case("u16", Type{T::Unsigned, 16})
                   .Case("u32", Type{T::Unsigned, 32})
                   .Case("u64", Type{T::Unsigned, 64})
                   .Case("s8", Type{T::Signed, 8})
                   .Case("s16", Type{T::Signed, 16})
                   .Case("s32", Type{T::Signed, 32})
                   .Case("s64", Type{T::Signed, 64})
                   .Case("f16", Type{T::Float, 16})
                   .Case("f16x2", Type{T::Float, 32, true})
                   .Case("bf16", Type{T::BFloat, 16})
                   .Case("bf16x2", Type{T::BFloat, 32, true})
                   .Case("f32", Type{T::Float, 32})
                   .Case("f64", Type{T::Float, 64})
                   .Default(std::nullopt);
  if (found)
    ++modifier;
  return found;
}

Type Decoder::type() {
  if (auto type = takeType())
    return *type;
  if (nextModifier().empty())
    fail("expected a type");
  else
    fail("modifier '." + nextModifier() + "' is not supported");
  return kB32;
}

unsigned Decoder::operandsLeft() const {
  return instruction->operands.size() - operand;
}

const Operand *Decoder::peek() const {
  return operandsLeft() ? &instruction->operands[operand] : nullptr;
}

uint64_t Decoder::addressOf(unsigned variable) const {
  return variableAddresses[variable];
}

/// The slot of an operand, and the bits of its register in `bits`.
Slot Decoder::slotOf(const Operand &from, Type type, bool isResult,
                     bool mayBeWider, unsigned &bits) {
  bits = type.bits == 8 ? 16 : type.bits;
  auto wrong = [&](const Twine &what) {
    failAt(from.location, "'" + instruction->name + "': " + what);
    return Slot();
  };
  switch (from.kind) {
  case Operand::Register: {
    if (from.bits != bits && !(mayBeWider && from.bits > type.bits))
      return wrong("operand '" + from.text + "' has " + Twine(from.bits) +
                   " bits, expected " + Twine(bits));
    bits = from.bits;
    auto &slot = registerSlots[from.index];
    if (!slot)
      slot = newSlot(bits);
    return *slot;
  }
  case Operand::Sink:
    if (!isResult)
      return wrong("'_' has no value");
    if (!sinkSlot)
      sinkSlot = newSlot(64);
    return *sinkSlot;
  case Operand::Special:
    if (isResult)
      return wrong("'" + from.text + "' is read-only or not declared");
    if (clockBits(from.text))
      return wrong("only mov reads '" + from.text + "'");
    if (type.bits != 32)
      return wrong("'" + from.text + "' has 32 bits");
    if (auto slot = specialSlot(from.text))
      return *slot;
    return wrong("unknown register '" + from.text + "'");
  case Operand::Integer:
    if (isResult || (type.isFloat() && type.bits > 16 && !type.isPacked))
      return wrong("an integer is not expected here");
    if (type.kind == TypeClass::Pred)
      return constantSlot(from.value != 0, 1);
    return constantSlot(from.value, bits);
  case Operand::Float:
    if (isResult || from.bits != type.bits)
      return wrong("the floating-point constant has " + Twine(from.bits) +
                   " bits");
    return constantSlot(from.value, bits);
  case Operand::Variable:
    if (isResult || (bits != 64 && bits != 32) || type.isFloat())
      return wrong("an address is not expected here");
    if (kernel.variables[from.index].space == Space::Param)
      return wrong("the address of a parameter is not supported");
    if (bits == 32 && !isUInt<32>(addressOf(from.index)))
      return wrong("the address of '" + from.text + "' has 64 bits");
    return constantSlot(addressOf(from.index), bits);
  default:
    return wrong("unexpected operand");
  }
}

void Decoder::addResult(Slot slot) { resultSlots.push_back(slot); }
void Decoder::addSource(Slot slot) { sourceSlots.push_back(slot); }

unsigned Decoder::result(Type type, bool mayBeWider) {
  unsigned bits = type.bits;
  if (!operandsLeft()) {
    fail("expected more operands");
    return bits;
  }
  const Operand &from = instruction->operands[operand++];
  addResult(slotOf(from, type, /*isResult=*/true, mayBeWider, bits));
  return bits;
}

unsigned Decoder::source(Type type, bool mayBeWider) {
  unsigned bits = type.bits;
  if (!operandsLeft()) {
    fail("expected more operands");
    return bits;
  }
  const Operand &from = instruction->operands[operand++];
  if (from.isNegated && !isNegationTaken)
    fail("a negated operand is not supported");
  addSource(slotOf(from, type, /*isResult=*/false, mayBeWider, bits));
  return bits;
}

unsigned Decoder::results(Type type, unsigned count, bool mayBeWider) {
  const Operand *from = peek();
  if (count == 1 && from && from->kind != Operand::Vector)
    return result(type, mayBeWider);
  unsigned width = 0;
  if (!from || from->kind != Operand::Vector ||
      from->elements.size() != count) {
    fail("expected a vector of " + Twine(count) + " operands");
    return type.bits;
  }
  ++operand;
  for (const Operand &element : from->elements) {
    unsigned bits;
    addResult(slotOf(element, type, true, mayBeWider, bits));
    if (element.kind != Operand::Register)
      continue;
    // Elements share the loop that writes them.
    if (width && bits != width)
      fail("elements of a vector differ in width");
    width = bits;
  }
  return width ? width : std::max(type.bits, 16u);
}

unsigned Decoder::sources(Type type, unsigned count, bool mayBeWider) {
  const Operand *from = peek();
  if (count == 1 && from && from->kind != Operand::Vector)
    return source(type, mayBeWider);
  if (!from || from->kind != Operand::Vector ||
      from->elements.size() != count) {
    fail("expected a vector of " + Twine(count) + " operands");
    return type.bits;
  }
  ++operand;
  // Constants have the width of the registers.
  unsigned width = 0;
  for (const Operand &element : from->elements)
    if (element.kind == Operand::Register) {
      if (width && element.bits != width)
        fail("elements of a vector differ in width");
      width = element.bits;
    }
  Type as = type;
  if (width > type.bits && mayBeWider)
    as.bits = width;
  for (const Operand &element : from->elements) {
    unsigned bits;
    addSource(slotOf(element, element.kind == Operand::Register ? type : as,
                     false, mayBeWider, bits));
  }
  return width ? width : std::max(type.bits, 16u);
}

void Decoder::resultPair(Type first, Type second) {
  const Operand *to = peek();
  if (!to || to->kind != Operand::Pair) {
    result(first);
    return;
  }
  ++operand;
  unsigned bits;
  addResult(slotOf(to->elements[0], first, true, false, bits));
  addResult(slotOf(to->elements[1], second, true, false, bits));
}

uint64_t Decoder::address() {
  const Operand *from = peek();
  if (!from || from->kind != Operand::Address) {
    fail("expected an address");
    return 0;
  }
  ++operand;
  unsigned bits = 64;
  const Operand &base = from->elements[0];
  bool mayBeShort = op.space == Space::Shared || op.space == Space::Local;
  if (base.kind == Operand::Register && base.bits == 32 && mayBeShort &&
      sourceSlots.empty()) {
    op.isShortAddress = true;
    bits = 32;
  }
  addSource(slotOf(base, Type{TypeClass::Bits, bits}, false, false, bits));
  return from->value;
}

uint64_t Decoder::constant(const Twine &what) {
  const Operand *from = peek();
  if (!from || from->kind != Operand::Integer) {
    fail("expected " + what);
    return 0;
  }
  ++operand;
  return from->value;
}

uint64_t Decoder::parameterAddress(unsigned bytes) {
  const Operand *from = peek();
  if (!from || from->kind != Operand::Address ||
      from->elements[0].kind != Operand::Variable ||
      kernel.variables[from->elements[0].index].space != Space::Param) {
    fail("expected the address of a parameter");
    return 0;
  }
  ++operand;
  unsigned index = from->elements[0].index;
  const Variable &parameter = kernel.variables[index];
  if (from->value > parameter.bytes || parameter.bytes - from->value < bytes)
    fail("the access is outside of parameter '" + parameter.name + "'");
  return addressOf(index) + from->value;
}

uint32_t Decoder::label() {
  const Operand *from = peek();
  if (!from || from->kind != Operand::Label) {
    fail("expected a label");
    return 0;
  }
  ++operand;
  return from->index;
}

std::optional<unsigned> Decoder::takeClock(Type type) {
  const Operand *from = peek();
  if (!from || from->kind != Operand::Special)
    return std::nullopt;
  auto bits = clockBits(from->text);
  if (!bits)
    return std::nullopt;
  ++operand;
  auto [first, count] = *bits;
  if (type.bits != count)
    fail("'" + from->text + "' has " + Twine(count) + " bits");
  return first;
}

bool Decoder::takeNegation() {
  isNegationTaken = peek() && peek()->isNegated;
  return isNegationTaken;
}

bool Decoder::isOpcode(StringRef opcode) const {
  return instruction->opcode == opcode;
}

bool Decoder::requireChip(unsigned chip) {
  if (out.chip >= chip)
    return true;
  fail("needs sm_" + Twine(chip) + ", but the module is for " + module.target);
  return false;
}

Error Decoder::decodeOne(const Instruction &from) {
  instruction = &from;
  modifier = operand = 0;
  isNegationTaken = false;
  op = Op();
  resultSlots.clear();
  sourceSlots.clear();
  const InstructionClass *known = findInstruction(from.opcode);
  if (!known) {
    failAt(from.location, "unknown instruction '" + from.name + "'");
    return createStringError(message);
  }
  known->decode(*this);
  if (!nextModifier().empty())
    fail("modifier '." + nextModifier() + "' is not supported");
  if (operandsLeft())
    fail("too many operands");
  if (from.guard) {
    auto &slot = registerSlots[*from.guard];
    if (!slot)
      slot = newSlot(1);
    op.hasGuard = true;
    op.isGuardNegated = from.isGuardNegated;
    op.guard = *slot;
  }
  if (!message.empty())
    return createStringError(message);
  op.firstSlot = out.slots.size();
  op.numResults = resultSlots.size();
  op.numSources = sourceSlots.size();
  append_range(out.slots, resultSlots);
  append_range(out.slots, sourceSlots);
  if (op.elementBytes && op.space != Space::Param) {
    if (op.space == Space::Shared || op.space == Space::Generic)
      out.sharedGranule =
          std::min<unsigned>(out.sharedGranule, op.elementBytes);
    if (op.space != Space::Shared)
      out.globalGranule =
          std::min<unsigned>(out.globalGranule, op.elementBytes);
  }
  out.ops.push_back(op);
  return Error::success();
}

Error Decoder::decode() {
  auto failed = [&](const Twine &what) {
    failAt(kernel.location, "kernel '" + kernel.name + "': " + what);
    return createStringError(message);
  };
  if (module.version == 0)
    return failed("the module has no '.version'");
  if (out.sharedBytes > kMaxSharedBytes)
    return failed("too much shared memory");
  if (out.localBytes > kMaxLocalBytes)
    return failed("too much local memory");
  out.ops.reserve(kernel.instructions.size());
  for (const Instruction &from : kernel.instructions)
    if (Error error = decodeOne(from))
      return error;
  // Threads end at the end of the text.
  Op end;
  end.flow = Flow::Exit;
  end.pipe = Pipe::Control;
  out.ops.push_back(end);
  return Error::success();
}
