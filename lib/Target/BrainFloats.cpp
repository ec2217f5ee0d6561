//===- BrainFloats.cpp - moves of bf16 values -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LLVMSession.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The type of integers for a bf16 or a vector of them; null for other types.
static Type *integerType(Type *type) {
  return type->getScalarType()->isBFloatTy()
             ? type->getWithNewType(Type::getInt16Ty(type->getContext()))
             : nullptr;
}

/// Whether the instruction gets a bf16 from memory or from other values
/// without computing it.
static bool movesBrainFloat(const Instruction &instruction) {
  if (!integerType(instruction.getType()))
    return false;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return intrinsic->getIntrinsicID() == Intrinsic::masked_load;
  return isa<LoadInst, PHINode, SelectInst, FreezeInst, InsertElementInst,
             ExtractElementInst, ShuffleVectorInst>(instruction);
}

namespace {
/// Replaces the instructions that move bf16 values in a function.
class IntegerMoves {
public:
  explicit IntegerMoves(Function &function) : builder(function.getContext()) {
    for (Instruction &instruction : instructions(function))
      if (movesBrainFloat(instruction))
        moves.push_back(&instruction);
  }

  void run() {
    // Values of loops are used before they are replaced.
    for (Instruction *move : moves)
      if (auto *phi = dyn_cast<PHINode>(move)) {
        builder.SetInsertPoint(phi);
        integers[phi] = builder.CreatePHI(integerType(phi->getType()),
                                          phi->getNumIncomingValues());
      }
    for (Instruction *move : moves)
      integerOf(move);
    for (Instruction *move : moves)
      if (auto *phi = dyn_cast<PHINode>(move))
        for (auto [value, block] :
             zip_equal(phi->incoming_values(), phi->blocks()))
          cast<PHINode>(integers[phi])->addIncoming(integerOf(value), block);
    for (Instruction *move : moves)
      replaceUses(*move);
    for (Instruction *move : moves)
      move->dropAllReferences();
    for (Instruction *move : moves)
      move->eraseFromParent();
  }

private:
  /// The bits of a bf16 value.
  Value *integerOf(Value *value) {
    Value *&known = integers[value];
    if (known)
      return known;
    Type *type = integerType(value->getType());
    if (auto *constant = dyn_cast<Constant>(value))
      return known = ConstantExpr::getBitCast(constant, type);
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && movesBrainFloat(*instruction)) {
      Value *made = move(*instruction, type);
      return integers[value] = made;
    }
    if (auto *argument = dyn_cast<Argument>(value))
      builder.SetInsertPointPastAllocas(argument->getParent());
    else
      builder.SetInsertPoint(*instruction->getInsertionPointAfterDef());
    return known = builder.CreateBitCast(value, type);
  }

  Value *move(Instruction &old, Type *type) {
    SmallVector<Value *> operands;
    for (Value *operand : old.operands())
      operands.push_back(integerType(operand->getType()) ? integerOf(operand)
                                                         : operand);
    builder.SetInsertPoint(&old);
    if (auto *load = dyn_cast<LoadInst>(&old)) {
      LoadInst *made =
          builder.CreateAlignedLoad(type, operands[0], load->getAlign(),
                                    load->isVolatile(), load->getName());
      made->setAtomic(load->getOrdering(), load->getSyncScopeID());
      made->setAAMetadata(load->getAAMetadata());
      return made;
    }
    if (isa<IntrinsicInst>(old))
      return builder.CreateMaskedLoad(
          type, operands[0], cast<CallInst>(old).getParamAlign(0).valueOrOne(),
          operands[1], operands[2]);
    if (isa<SelectInst>(old))
      return builder.CreateSelect(operands[0], operands[1], operands[2]);
    if (isa<FreezeInst>(old))
      return builder.CreateFreeze(operands[0]);
    if (isa<InsertElementInst>(old))
      return builder.CreateInsertElement(operands[0], operands[1], operands[2]);
    if (isa<ExtractElementInst>(old))
      return builder.CreateExtractElement(operands[0], operands[1]);
    return builder.CreateShuffleVector(
        operands[0], operands[1],
        cast<ShuffleVectorInst>(old).getShuffleMask());
  }

  /// Stores take the integer. Others get a bf16 next to them, so that no bf16
  /// is live for long.
  void replaceUses(Instruction &old) {
    Value *integer = integers[&old];
    for (Use &use : make_early_inc_range(old.uses())) {
      auto *user = cast<Instruction>(use.getUser());
      auto *intrinsic = dyn_cast<IntrinsicInst>(user);
      if (movesBrainFloat(*user))
        continue;
      builder.SetInsertPoint(user);
      if (isa<StoreInst>(user)) {
        use.set(integer);
      } else if (intrinsic &&
                 intrinsic->getIntrinsicID() == Intrinsic::masked_store) {
        builder.CreateMaskedStore(integer, user->getOperand(1),
                                  intrinsic->getParamAlign(1).valueOrOne(),
                                  user->getOperand(2));
        user->eraseFromParent();
      } else {
        use.set(builder.CreateBitCast(integer, old.getType()));
      }
    }
  }

  IRBuilder<> builder;
  SmallVector<Instruction *> moves;
  DenseMap<Value *, Value *> integers;
};
} // namespace

void pruner::moveBrainFloatsAsIntegers(Module &module) {
  for (Function &function : module)
    IntegerMoves(function).run();
}
