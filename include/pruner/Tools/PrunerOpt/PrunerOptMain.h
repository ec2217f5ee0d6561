//===- PrunerOptMain.h - the driver as a library ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_PRUNEROPT_PRUNEROPTMAIN_H
#define PRUNER_TOOLS_PRUNEROPT_PRUNEROPTMAIN_H

namespace pruner {

/// `main` of pruner-opt: the driver of mlir-opt with Pruner's dialects and
/// passes.
int prunerOptMain(int argc, char **argv);

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNEROPT_PRUNEROPTMAIN_H
