//===- ReduceStrength.cpp - pointers that move from step to step ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop strength reduction replaces the products of an address, such as step
// times stride, by a pointer that moves. Kernels with short loops need it. But
// on x86 LLVM's pass counts the instructions of a loop, not its registers: of
// the 28 numbers that a tile reads at constant distances, each gets a pointer
// of its own, and half of them are loaded from the stack in each step. With the
// whole loop nests reduced, the innermost loops reduced, or none, this takes
// the form whose innermost loops need the fewest instructions and registers
// beyond those of x86.
//
//===----------------------------------------------------------------------===//

#include "LLVMSession.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cmath>
#include <optional>

using namespace pruner;
using namespace llvm;

/// Registers of x86 for addresses, counters and bounds, without the stack
/// pointer.
static constexpr int kScalarRegisters = 15;

namespace {
enum class Loops { All, Innermost };

struct ReduceStrength : PassInfoMixin<ReduceStrength> {
  explicit ReduceStrength(Loops which) : which(which) {}

  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &analyses,
                        LoopStandardAnalysisResults &results,
                        LPMUpdater &updater) {
    if (which == Loops::Innermost && !loop.isInnermost())
      return PreservedAnalyses::all();
    return LoopStrengthReducePass().run(loop, analyses, results, updater);
  }

  Loops which;
};
} // namespace

static bool isScalar(const Value &value) {
  return value.getType()->isIntegerTy() || value.getType()->isPointerTy();
}

/// The scalars that are live through a loop: those that it carries from step to
/// step, and those from outside.
static unsigned countScalars(const Loop &loop) {
  SmallPtrSet<const Value *, 32> scalars;
  for (const PHINode &phi : loop.getHeader()->phis())
    if (isScalar(phi))
      scalars.insert(&phi);
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      for (const Value *operand : instruction.operands()) {
        auto *inside = dyn_cast<Instruction>(operand);
        bool isLive = inside ? !loop.contains(inside) : isa<Argument>(operand);
        if (isLive && isScalar(*operand))
          scalars.insert(operand);
      }
  return scalars.size();
}

/// Whether a loop computes with vectors; others copy.
static bool computes(const Loop &loop) {
  return llvm::any_of(loop.blocks(), [](const BasicBlock *block) {
    return llvm::any_of(*block, [](const Instruction &instruction) {
      return instruction.getType()->isVectorTy() &&
             isa<BinaryOperator, CallInst>(instruction);
    });
  });
}

/// Scalar arithmetic of a loop, and addresses with a variable part.
static unsigned countArithmetic(const Loop &loop) {
  unsigned count = 0;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      auto *address = dyn_cast<GetElementPtrInst>(&instruction);
      count += address ? !address->hasAllConstantIndices()
                       : isScalar(instruction) &&
                             isa<BinaryOperator, CastInst>(instruction);
    }
  return count;
}

namespace {
/// What innermost loops that compute need for their addresses. Each loop around
/// one is taken to have eight steps.
struct Demand {
  /// Scalars for which there are no registers.
  double spilled = 0;
  /// These, and instructions.
  double cost = 0;

  explicit Demand(Function &function) {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (const Loop *loop : loops.getLoopsInPreorder()) {
      if (!loop->isInnermost() || !computes(*loop))
        continue;
      double weight = std::ldexp(1, 3 * int(loop->getLoopDepth()));
      double excess = std::max(0, int(countScalars(*loop)) - kScalarRegisters);
      spilled += weight * excess;
      cost += weight * (excess + countArithmetic(*loop));
    }
  }
};
} // namespace

static void reduceStrength(Function &function, Loops which,
                           FunctionAnalysisManager &analyses) {
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(ReduceStrength(which)));
  passes.run(function, analyses);
}

void pruner::reduceStrength(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loopAnalyses;
  FunctionAnalysisManager functionAnalyses;
  CGSCCAnalysisManager groupAnalyses;
  ModuleAnalysisManager moduleAnalyses;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(moduleAnalyses);
  builder.registerCGSCCAnalyses(groupAnalyses);
  builder.registerFunctionAnalyses(functionAnalyses);
  builder.registerLoopAnalyses(loopAnalyses);
  builder.crossRegisterProxies(loopAnalyses, functionAnalyses, groupAnalyses,
                               moduleAnalyses);

  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration() && !LoopInfo(DominatorTree(function)).empty())
      functions.push_back(&function);
  for (Function *function : functions) {
    Function *best = nullptr;
    std::optional<Demand> least;
    // Of equal forms the first one stays.
    auto consider = [&](Function *candidate) {
      Demand demand(*candidate);
      Function *loser = candidate;
      if (!least || demand.cost < least->cost) {
        loser = best;
        best = candidate;
        least = demand;
      }
      if (loser && loser != function) {
        functionAnalyses.clear(*loser, loser->getName());
        loser->eraseFromParent();
      }
    };
    for (Loops which : {Loops::All, Loops::Innermost}) {
      ValueToValueMapTy map;
      Function *reduced = CloneFunction(function, map);
      ::reduceStrength(*reduced, which, functionAnalyses);
      consider(reduced);
      if (least->spilled == 0)
        break;
    }
    if (least->spilled > 0)
      consider(function);
    if (best == function)
      continue;
    // In the place of the first form, so that the order stays.
    auto &list = module.getFunctionList();
    list.splice(function->getIterator(), list, best->getIterator());
    function->replaceAllUsesWith(best);
    best->takeName(function);
    functionAnalyses.clear(*function, function->getName());
    function->eraseFromParent();
  }
}
