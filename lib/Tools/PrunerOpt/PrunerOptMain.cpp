//===- PrunerOptMain.cpp - the driver as a library ------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Tools/PrunerOpt/PrunerOptMain.h"
#include "pruner/Tools/PrunerOpt/Registration.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int pruner::prunerOptMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv,
                        "Pruner: draft, verify and measure schedules of linalg "
                        "programs\n",
                        registry));
}
