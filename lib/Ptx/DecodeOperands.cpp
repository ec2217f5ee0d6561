//===- DecodeOperands.cpp - operands of instructions ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decoder.h"

#include "Instructions/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace pruner::ptx;

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
