//===- Plugin.cpp - Pruner as a plug-in of mlir-opt -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This shared object is a dialect plug-in and a pass plug-in. A host loads the
// dialect before it reads IR, and the passes before it reads a pipeline.

#include "pruner/Tools/PrunerOpt/Registration.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

static constexpr const char kName[] = "Pruner";

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, PRUNER_VERSION,
          [](mlir::DialectRegistry *registry) {
            pruner::registerOwnDialect(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, kName, PRUNER_VERSION,
          pruner::registerOwnPasses};
}
