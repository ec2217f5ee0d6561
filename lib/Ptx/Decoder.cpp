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
  // Dynamic shared memory begins after all static variables.
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
