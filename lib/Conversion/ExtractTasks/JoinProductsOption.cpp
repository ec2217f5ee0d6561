//===- JoinProductsOption.cpp - values of join-products -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/ExtractTasks/JoinProducts.h"

#include "llvm/Support/CommandLine.h"

using namespace pruner;

llvm::cl::ValuesClass pruner::joinProductsValues() {
  return llvm::cl::values(
      clEnumValN(JoinProducts::Never, "never", "separate tasks"),
      clEnumValN(JoinProducts::Always, "always", "one task"),
      clEnumValN(JoinProducts::Measure, "measure",
                 "both, and measurements decide"),
      clEnumValN(JoinProducts::Large, "large",
                 "as measure, for attention whose scores do not fit into the "
                 "second-level cache; never otherwise"));
}
