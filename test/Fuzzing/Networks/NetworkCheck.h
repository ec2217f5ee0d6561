//===- NetworkCheck.h - one network through everything ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_FUZZING_NETWORKS_NETWORKCHECK_H
#define PRUNER_FUZZING_NETWORKS_NETWORKCHECK_H

#include "pruner/Support/Random.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace pruner {

/// What became of a network.
struct NetworkVerdict {
  /// What went wrong, or nothing; and where ("lowering", "comparing").
  std::string wrong, stage;
  /// Why it says nothing (a check of the program may fail, an operation that
  /// the interpreter does not know).
  std::string skipped;
  /// How it was compiled, a line per decision and scheduled task.
  std::string how;
  uint64_t elements = 0, undecided = 0;
  unsigned tasks = 0, scheduled = 0, runs = 0;
};

/// How a network is compiled.
struct NetworkChoices {
  uint64_t inputSeed = 0;
  Random random = Random(0); ///< For schedules and everything else.
  /// Where libraries are written.
  std::string directory;
  /// Pretend that a network with this text is wrong; for tests of reducing.
  std::string wrongIf;
};

/// Parses `text`, interprets it as it stands, normalises it, extracts its
/// tasks, gives most of them random legal schedules, lowers them, prepares
/// constants ahead of time if it has any (mostly), makes a library of it as
/// pruner-translate does, and compares what the library computes with the
/// interpretation, for two sets of inputs, in memory between guard pages.
/// `say` is told what comes next.
NetworkVerdict checkNetwork(mlir::MLIRContext &context, llvm::StringRef text,
                            NetworkChoices choices,
                            llvm::function_ref<void(llvm::StringRef)> say);

} // namespace pruner

#endif // PRUNER_FUZZING_NETWORKS_NETWORKCHECK_H
