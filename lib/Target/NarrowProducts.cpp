//===- NarrowProducts.cpp - high parts of narrow products -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LLVMSession.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

/// Whether every lane of a vector is a sign-extended number of 16 bits.
static bool fitsIn16Bits(Value *vector, const DataLayout &layout) {
  unsigned bits = vector->getType()->getScalarSizeInBits();
  return ComputeNumSignBits(vector, layout) >= bits - 15;
}

/// The constant that `map` makes of each lane, of type `element`; null if a
/// lane is NaN.
static Constant *mapLanes(Constant *vector, Type *element,
                          function_ref<uint64_t(uint64_t)> map) {
  SmallVector<Constant *> lanes;
  auto *type = cast<FixedVectorType>(vector->getType());
  for (unsigned n = 0; n < type->getNumElements(); ++n) {
    auto *lane = dyn_cast_or_null<ConstantInt>(vector->getAggregateElement(n));
    if (!lane)
      return nullptr;
    lanes.push_back(
        ConstantInt::get(element, map(lane->getValue().getLimitedValue())));
  }
  return ConstantVector::get(lanes);
}

/// The shift of the 32-bit product, or null if `shift` is right as it is.
static Value *narrow(BinaryOperator &shift, const DataLayout &layout) {
  auto *type = dyn_cast<FixedVectorType>(shift.getType());
  auto *product = dyn_cast<BinaryOperator>(shift.getOperand(0));
  auto *amount = dyn_cast<Constant>(shift.getOperand(1));
  if (!type || !product || !amount || product->getOpcode() != Instruction::Mul)
    return nullptr;
  unsigned bits = type->getScalarSizeInBits();
  if (bits <= 32 || bits > 64 ||
      !fitsIn16Bits(product->getOperand(0), layout) ||
      !fitsIn16Bits(product->getOperand(1), layout))
    return nullptr;
  IRBuilder<> builder(&shift);
  Type *narrowElement = builder.getInt32Ty();
  Constant *narrowAmount = mapLanes(amount, narrowElement, [](uint64_t n) {
    return std::min<uint64_t>(n, 31);
  });
  Constant *mask = mapLanes(amount, type->getElementType(), [&](uint64_t n) {
    return n >= bits ? 0 : maskTrailingOnes<uint64_t>(bits - n);
  });
  if (!narrowAmount || !mask)
    return nullptr;
  Type *narrowType = VectorType::get(narrowElement, type);
  Value *result = builder.CreateMul(
      builder.CreateTrunc(product->getOperand(0), narrowType),
      builder.CreateTrunc(product->getOperand(1), narrowType));
  result = builder.CreateSExt(builder.CreateAShr(result, narrowAmount), type);
  if (shift.getOpcode() == Instruction::LShr)
    result = builder.CreateAnd(result, mask);
  return result;
}

void pruner::narrowShiftedProducts(Module &module) {
  SmallVector<BinaryOperator *> shifts;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::AShr ||
          instruction.getOpcode() == Instruction::LShr)
        shifts.push_back(cast<BinaryOperator>(&instruction));
  for (BinaryOperator *shift : shifts) {
    Value *narrowed = narrow(*shift, module.getDataLayout());
    if (!narrowed)
      continue;
    Value *product = shift->getOperand(0);
    shift->replaceAllUsesWith(narrowed);
    shift->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(product);
  }
}
