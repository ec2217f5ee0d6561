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

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

/// Options of LLVM's passes and code generators register themselves before
/// main; all others are those of pruner-opt. --help-hidden still has them.
static void hideOptionsOfLLVM() {
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (llvm::none_of(entry.second->Categories,
                      [](const llvm::cl::OptionCategory *category) {
                        return category->getName() == "Generic Options";
                      }))
      entry.second->setHiddenFlag(llvm::cl::Hidden);
}

int pruner::prunerOptMain(int argc, char **argv) {
  hideOptionsOfLLVM();
  mlir::DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv,
                        "Pruner: draft, verify and measure schedules of linalg "
                        "programs\n",
                        registry));
}
