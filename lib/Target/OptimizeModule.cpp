//===- OptimizeModule.cpp - the LLVM IR pass pipeline ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LLVMSession.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace pruner;
using namespace llvm;

/// LICM that also promotes loads and stores at a loop-invariant address, which
/// keeps accumulators of a reduction loop in registers.
static FunctionPassManager hoistInvariants() {
  FunctionPassManager fpm;
  fpm.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                              /*UseMemorySSA=*/true));
  return fpm;
}

static ModulePassManager leanPipeline() {
  FunctionPassManager fpm;
  // Registers instead of stack slots, and one copy of each address computation.
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(SROAPass(SROAOptions::ModifyCFG));
  fpm.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  fpm.addPass(InstCombinePass());
  fpm.addPass(SimplifyCFGPass());

  // Bottom-tested loops with invariants before them.
  LoopPassManager rotate;
  rotate.addPass(LoopRotatePass());
  fpm.addPass(createFunctionToLoopPassAdaptor(std::move(rotate)));
  fpm.addPass(hoistInvariants());
  fpm.addPass(SimplifyCFGPass());
  fpm.addPass(InstCombinePass());

  // Loops with one or few constant iterations disappear. Arrays that they index
  // by constants become registers.
  LoopPassManager loops;
  loops.addPass(IndVarSimplifyPass());
  loops.addPass(LoopDeletionPass());
  loops.addPass(LoopFullUnrollPass(/*OptLevel=*/2));
  fpm.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
  fpm.addPass(SROAPass(SROAOptions::ModifyCFG));

  fpm.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  fpm.addPass(ADCEPass());
  fpm.addPass(hoistInvariants());
  fpm.addPass(InferAlignmentPass());
  fpm.addPass(InstCombinePass());
  fpm.addPass(SimplifyCFGPass());

  ModulePassManager mpm;
  mpm.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
  mpm.addPass(createModuleToFunctionPassAdaptor(std::move(fpm)));
  mpm.addPass(GlobalDCEPass());
  return mpm;
}

void pruner::optimizeModule(Module &module, TargetMachine &machine,
                            const OptimizeOptions &options) {
  if (options.optLevel == 0)
    return;
  PipelineTuningOptions tuning;
  tuning.SLPVectorization = options.slpVectorize;
  tuning.LoopVectorization = options.loopVectorize;
  tuning.LoopInterleaving = options.loopVectorize && options.loopUnroll;
  tuning.LoopUnrolling = options.loopUnroll;

  LoopAnalysisManager lam;
  FunctionAnalysisManager fam;
  CGSCCAnalysisManager cgam;
  ModuleAnalysisManager mam;
  PassInstrumentationCallbacks callbacks;
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  if (options.cseForGvn) {
    callbacks.registerShouldRunOptionalPassCallback(
        [](StringRef pass, Any) { return pass != GVNPass::name(); });
    builder.registerScalarOptimizerLateEPCallback(
        [](FunctionPassManager &fpm, OptimizationLevel) {
          fpm.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
        });
  }
  builder.registerModuleAnalyses(mam);
  builder.registerCGSCCAnalyses(cgam);
  builder.registerFunctionAnalyses(fam);
  builder.registerLoopAnalyses(lam);
  builder.crossRegisterProxies(lam, fam, cgam, mam);

  bool useDefault =
      options.optLevel >= 3 || options.slpVectorize || options.loopVectorize;
  ModulePassManager mpm =
      useDefault
          ? builder.buildPerModuleDefaultPipeline(options.optLevel >= 3
                                                      ? OptimizationLevel::O3
                                                      : OptimizationLevel::O2)
          : leanPipeline();
  mpm.run(module, mam);
}
