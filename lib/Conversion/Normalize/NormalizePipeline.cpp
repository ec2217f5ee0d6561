//===- NormalizePipeline.cpp - the passes of --pruner-normalize ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/Normalize/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

void pruner::buildNormalizePipeline(OpPassManager &pm,
                                    const NormalizeOptions &options) {
  OpPassManager &first = pm.nest<func::FuncOp>();
  // Upstream would fold some of these pads.
  first.addPass(createCropNegativePadsPass());
  first.addPass(createDropEmptyTensorsPass());
  first.addPass(createSimplifyModelPass());
  // One form for all elementwise ops, with constants inside.
  first.addPass(createGeneralizeNamedOpsPass());
  pm.addPass(createPackNibblesPass());
  OpPassManager &func = pm.nest<func::FuncOp>();
  auto tidy = [&] { func.addPass(createSimplifyModelPass()); };
  // A fill is a constant for its readers, and an op that reads only constants
  // is a fill.
  func.addPass(createRaiseFillsPass());
  func.addPass(createInlineConstantsPass());
  func.addPass(createRaiseFillsPass());
  // The arithmetic in the bodies.
  func.addPass(createRaiseMinMaxPass());
  func.addPass(createExpandPowersPass());
  func.addPass(createExpandWideProductsPass());
  func.addPass(createNarrowComparesPass());
  func.addPass(createNarrowIntegersPass());
  if (options.demoteF64)
    func.addPass(createDemoteF64Pass());
  if (options.raiseBiasInits)
    func.addPass(createRaiseBiasInitsPass());
  // Sums start from zero now. Later passes cannot derive the reals from bytes.
  if (options.integerProducts)
    func.addPass(createIntegerProductsPass());
  func.addPass(createSplitZeroPointsPass());
  func.addPass(createEraseUnusedResultsPass());
  func.addPass(createSplitUpsampledInputsPass());
  func.addPass(createSplitPaddedWindowsPass());
  // Products read narrow tensors in place, and then through maps.
  func.addPass(createAbsorbExtensionsPass());
  // Unit dimensions first, so that only significant reshapes are left.
  func.addPass(createFoldUnitDimsPass());
  tidy();
  // Folding may have created more constants.
  func.addPass(createRaiseFillsPass());
  func.addPass(createInlineConstantsPass());
  func.addPass(createFoldRowGuardsPass());
  func.addPass(createHoistSlicesPass());
  // Without its kernel loops a pointwise convolution is a product.
  func.addPass(createRecognizeProductsPass());
  // Those that are left have windows.
  func.addPass(createFlattenWindowsPass());
  tidy();
  // Copies before a contraction are absorbed before their generics are
  // collapsed. Moving reshapes may then create new such copies.
  func.addPass(createSinkBroadcastsPass());
  func.addPass(createAbsorbTransposesPass());
  tidy();
  func.addPass(createMoveReshapesPass());
  func.addPass(createAbsorbTransposesPass());
  tidy();
  // After transposes and reshapes, the factors of products are visible.
  func.addPass(createInlineDequantizationPass());
  tidy();
  // The reshapes are in their final positions, so slices are next to their
  // readers.
  func.addPass(createHoistSlicesPass());
  func.addPass(createAbsorbSlicesPass());
  func.addPass(createGrowConcatsPass());
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
