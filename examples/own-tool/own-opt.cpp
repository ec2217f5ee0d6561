// mlir-opt with Pruner's passes and a custom pipeline.

#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Tools/PrunerOpt/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  pruner::registerDialects(registry); // The dialect and those of MLIR.
  pruner::registerPasses();           // --pruner-tune and all other passes.

  mlir::PassPipelineRegistration<> own(
      "own-tasks", "Canonicalize, then cut into tasks and list them",
      [](mlir::OpPassManager &pm) {
        pm.addPass(mlir::createCanonicalizerPass());
        pruner::buildNormalizePipeline(pm);
        pm.addPass(pruner::createExtractTasksPass());
        pm.addPass(pruner::createListTasksPass());
      });
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "A tool with Pruner's passes\n", registry));
}
