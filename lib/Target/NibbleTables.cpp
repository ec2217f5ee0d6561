//===- NibbleTables.cpp - look up the floats of 4-bit integers ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LLVMSession.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
/// A number of four bits: bits `shift` to `shift` + 3 of `bits`.
struct Nibble {
  Value *bits;
  Value *shift; ///< Null for the lowest four bits.
  bool isSigned;
};
} // namespace

/// Vectors of 32 bits that are shifted by at most 28 bits.
static bool isShift(Value *shift, const DataLayout &layout) {
  return computeKnownBits(shift, layout).getMaxValue().ule(28);
}

/// 28 - `shift`, computed where `shift` is, which may be outside of a loop.
static Value *distanceTo28(Value *shift) {
  auto *instruction = dyn_cast<Instruction>(shift);
  if (isa_and_nonnull<PHINode>(instruction))
    return nullptr;
  IRBuilder<> builder(shift->getContext());
  if (instruction)
    builder.SetInsertPoint(instruction->getNextNode());
  else if (auto *argument = dyn_cast<Argument>(shift))
    builder.SetInsertPoint(
        &*argument->getParent()->getEntryBlock().getFirstInsertionPt());
  return builder.CreateSub(ConstantInt::get(shift->getType(), 28), shift);
}

static bool isWord(Value *value) {
  return value->getType()->getScalarType()->isIntegerTy(32);
}

static std::optional<Nibble> match(Value *number, const DataLayout &layout) {
  // Numbers of four bits fit into every type of integers.
  if (Value *wide; PatternMatch::match(number, m_Trunc(m_Value(wide))))
    number = wide;
  Value *bits, *shift;
  if (isWord(number) &&
      PatternMatch::match(number, m_AShr(m_Shl(m_Value(bits), m_Value(shift)),
                                         m_SpecificInt(28))) &&
      isShift(shift, layout)) {
    if (Value *right = distanceTo28(shift))
      return Nibble{bits, right, /*isSigned=*/true};
    return std::nullopt;
  }
  if (!PatternMatch::match(number, m_And(m_Value(bits), m_SpecificInt(15))))
    return std::nullopt;
  if (Value *wide; PatternMatch::match(bits, m_Trunc(m_Value(wide))))
    bits = wide;
  if (!isWord(bits))
    return std::nullopt;
  if (Value *from;
      PatternMatch::match(bits, m_LShr(m_Value(from), m_Value(shift))))
    return Nibble{from, shift, /*isSigned=*/false};
  return Nibble{bits, nullptr, /*isSigned=*/false};
}

static Constant *tableOf(LLVMContext &context, bool isSigned) {
  SmallVector<float> entries;
  for (int n = 0; n < 16; ++n)
    entries.push_back(float(isSigned && n > 7 ? n - 16 : n));
  return ConstantDataVector::get(context, entries);
}

void pruner::lookUpNibbles(Module &module, TargetMachine &machine) {
  if (!machine.getMCSubtargetInfo()->checkFeatures("+avx512f"))
    return;
  SmallVector<CastInst *> casts;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<SIToFPInst, UIToFPInst>(instruction))
        casts.push_back(cast<CastInst>(&instruction));
  for (CastInst *cast : casts) {
    auto *type = dyn_cast<FixedVectorType>(cast->getType());
    if (!type || type->getNumElements() != 16 ||
        !type->getElementType()->isFloatTy())
      continue;
    Value *number = cast->getOperand(0);
    std::optional<Nibble> nibble = match(number, module.getDataLayout());
    if (!nibble || (nibble->isSigned && isa<UIToFPInst>(cast)))
      continue;
    IRBuilder<> builder(cast);
    Value *index = nibble->bits;
    if (nibble->shift)
      index = builder.CreateLShr(index, nibble->shift);
    // The instruction takes the lowest four bits of each index.
    Value *result = builder.CreateIntrinsic(
        type, Intrinsic::x86_avx512_permvar_sf_512,
        {tableOf(module.getContext(), nibble->isSigned), index});
    cast->replaceAllUsesWith(result);
    cast->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(number);
  }
}
