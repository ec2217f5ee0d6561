//===- SingleLanes.cpp - masked stores of one lane ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LLVMSession.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The lane that a constant mask selects, if it selects exactly one.
static std::optional<unsigned> singleLane(Value *mask) {
  auto *constant = dyn_cast<Constant>(mask);
  auto *type = dyn_cast<FixedVectorType>(mask->getType());
  if (!constant || !type)
    return std::nullopt;
  std::optional<unsigned> found;
  for (unsigned n = 0; n < type->getNumElements(); ++n) {
    Constant *lane = constant->getAggregateElement(n);
    if (!lane || (!lane->isNullValue() && !lane->isOneValue()) ||
        (lane->isOneValue() && found))
      return std::nullopt;
    if (lane->isOneValue())
      found = n;
  }
  return found;
}

void pruner::storeSingleLanes(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *store = dyn_cast<IntrinsicInst>(&instruction);
      if (!store || store->getIntrinsicID() != Intrinsic::masked_store)
        continue;
      Value *vector = store->getArgOperand(0), *base = store->getArgOperand(1);
      Type *element = cast<VectorType>(vector->getType())->getElementType();
      unsigned bits = element->getScalarSizeInBits();
      auto lane = singleLane(store->getArgOperand(store->arg_size() - 1));
      if (!lane || bits == 0 || bits % 8 != 0 || bits >= 64)
        continue;
      IRBuilder<> builder(store);
      Value *value = builder.CreateExtractElement(vector, uint64_t(*lane));
      Value *address = builder.CreateConstGEP1_64(element, base, *lane);
      Align align = commonAlignment(store->getParamAlign(1).valueOrOne(),
                                    uint64_t(*lane) * bits / 8);
      builder.CreateAlignedStore(value, address, align)
          ->setAAMetadata(store->getAAMetadata());
      store->eraseFromParent();
    }
}
