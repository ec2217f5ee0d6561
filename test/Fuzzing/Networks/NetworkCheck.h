//===- NetworkCheck.h - compile, run and check one network ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_NETWORKS_NETWORKCHECK_H
#define PRUNER_FUZZING_NETWORKS_NETWORKCHECK_H

#include "pruner/Support/Random.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace pruner {

/// The result of checking a network.
struct NetworkVerdict {
  /// What went wrong, or empty; and the stage ("lowering", "comparing").
  std::string wrong, stage;
  /// Why the network was not compared (a check of the program may fail, or the
  /// interpreter does not know an operation).
  std::string skipped;
  /// How it was compiled, one line per decision and scheduled task.
  std::string how;
  uint64_t elements = 0, undecided = 0;
  unsigned tasks = 0, scheduled = 0, runs = 0;
};

/// Random choices for compiling a network.
struct NetworkChoices {
  uint64_t inputSeed = 0;
  Random random = Random(0); ///< For schedules and everything else.
  /// Directory for libraries.
  std::string directory;
  /// See NetworkFuzzOptions.
  std::string chip;
  std::string accuracy;
  /// Treat networks with this text as wrong, to test the reducer.
  std::string wrongIf;
};

/// Parses `text`, interprets it, normalizes it, extracts its tasks, gives most
/// of them random legal schedules, lowers them, mostly prepares constants ahead
/// of time if there are any, and builds a library like pruner-translate. Then
/// compares the results of the library with the interpretation, for two sets of
/// inputs, in memory between guard pages. With relaxations, the network is
/// interpreted once more after they were applied: what its elements may be then
/// must overlap with what they may be before, because both contain the exact
/// result, and the library must agree with the former. `say` is called with
/// each next stage.
///
/// A network with `pruner.range` is specialized for some sizes first, and its
/// library is called with several: those at the ends of the range, others in
/// it, and larger ones. Calls of size 0 must be rejected.
NetworkVerdict checkNetwork(mlir::MLIRContext &context, llvm::StringRef text,
                            NetworkChoices choices,
                            llvm::function_ref<void(llvm::StringRef)> say);

} // namespace pruner

#endif // PRUNER_FUZZING_NETWORKS_NETWORKCHECK_H
