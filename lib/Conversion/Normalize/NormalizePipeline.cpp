//===- NormalizePipeline.cpp - the passes of --pruner-normalize ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

void pruner::buildNormalizePipeline(OpPassManager &pm,
                                    const NormalizeOptions &options) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  auto tidy = [&] { func.addPass(createSimplifyModel()); };
  // Upstream would fold some of these pads.
  func.addPass(createCropNegativePads());
  tidy();
  // One form for all elementwise ops, with constants inside.
  func.addPass(createGeneralizeNamedOps());
  // Readers see a fill as a constant, and an op that reads only constants is a
  // fill.
  func.addPass(createRaiseFills());
  func.addPass(createInlineConstants());
  func.addPass(createRaiseFills());
  // The arithmetic in the bodies.
  func.addPass(createRaiseMinMax());
  func.addPass(createExpandPowers());
  func.addPass(createExpandWideProducts());
  func.addPass(createNarrowCompares());
  if (options.demoteF64)
    func.addPass(createDemoteF64());
  if (options.raiseBiasInits)
    func.addPass(createRaiseBiasInits());
  func.addPass(createEraseUnusedResults());
  func.addPass(createSplitUpsampledInputs());
  func.addPass(createSplitPaddedWindows());
  // Unit dimensions first, so that only significant reshapes are left.
  func.addPass(createFoldUnitDims());
  tidy();
  // Folding may have created more constants.
  func.addPass(createRaiseFills());
  func.addPass(createInlineConstants());
  func.addPass(createFoldRowGuards());
  func.addPass(createHoistSlices());
  // Without its kernel loops a pointwise convolution is a product.
  func.addPass(createRecognizeProducts());
  tidy();
  // Transposed copies in front of a contraction are absorbed before their
  // generics are collapsed. Moving reshapes may then create new such copies.
  func.addPass(createAbsorbTransposes());
  tidy();
  func.addPass(createMoveReshapes());
  func.addPass(createAbsorbTransposes());
  tidy();
  // The reshapes are in their final positions, so slices are next to their
  // readers.
  func.addPass(createHoistSlices());
  func.addPass(createAbsorbSlices());
  func.addPass(createGrowConcats());
  tidy();
}

void pruner::registerNormalizePipeline() {
  PassPipelineRegistration<NormalizeOptions>(
      "pruner-normalize",
      "Normalize a linalg program so that tasks can be extracted",
      [](OpPassManager &pm, const NormalizeOptions &options) {
        buildNormalizePipeline(pm, options);
      });
}
