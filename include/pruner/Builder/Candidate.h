//===- Candidate.h - from a task and a schedule to code ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_BUILDER_CANDIDATE_H
#define PRUNER_BUILDER_CANDIDATE_H

#include "pruner/Builder/TaskProgram.h"
#include "pruner/Machine/CodeTarget.h"
#include "pruner/Target/Translation.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pruner {

/// Where the time of building a candidate goes; 0 for what its path leaves out.
struct BuildTimes {
  StageTime clone;    ///< A copy of the task to transform.
  StageTime tile;     ///< The schedule parsed and checked, its kernel emitted.
  StageTime lower;    ///< MLIR passes down to the LLVM dialect.
  StageTimings code;  ///< From there to an object or PTX.
  StageTime facts;    ///< Reading the object back.
  StageTime assemble; ///< ptxas, a child process.
  /// Of `tile` and `lower`, the passes by name, in order; the verifier, which
  /// runs behind them, is `verify`.
  std::vector<std::pair<std::string, StageTime>> passes;

  /// The pass of this name, added at the end if it is new. The reference holds
  /// until the next one is added.
  StageTime &pass(llvm::StringRef name);

  /// Every stage by its name, in order.
  std::vector<std::pair<const char *, StageTime>> stages() const;
};

/// Wall milliseconds by the name of the stage, of those that took any.
llvm::json::Object toJSON(const BuildTimes &times);

struct BuiltCandidate {
  std::string format;   ///< `object`, `ptx` or `cubin`.
  std::string artifact; ///< Raw bytes.
  std::string entry;    ///< Symbol to call or launch.
  BuildTimes times;
  llvm::json::Object facts; ///< Static facts of the code.
};

struct BuildOptions {
  unsigned threads = 1; ///< Of a kernel for a CPU.
  /// Assemble PTX where a ptxas is found.
  bool assemble = true;
};

/// The dialects that tasks and candidates are made of.
void registerBuilderDialects(mlir::DialectRegistry &registry);

/// Compiles `task` under `schedule` for `target`. This is the one place that
/// knows what the text of a schedule selects:
///
/// * `plain`: plain loops, LLVM without its vectorisers;
/// * `default`: what a library of a network runs without a schedule, compiled
///   as it is there;
/// * `#pruner.schedule<...>`: the tiled kernel.
llvm::Expected<BuiltCandidate> buildCandidate(const TaskProgram &task,
                                              llvm::StringRef schedule,
                                              const CodeTarget &target,
                                              const BuildOptions &options = {});

/// Compiles a module of linalg on tensors through plain loops for the host and
/// returns the object: the path of references, which shares no pass with
/// scheduled candidates. The loop over the last coordinate of each result is
/// made the innermost one, which changes no sum's order but lets LLVM vectorise
/// it. `module` is lowered in place. With `brief`, for code that runs for less
/// time than LLVM's default pipeline takes, LLVM neither vectorises nor
/// unrolls.
llvm::Expected<std::string> compileReference(mlir::ModuleOp module,
                                             bool brief = false);

} // namespace pruner

#endif // PRUNER_BUILDER_CANDIDATE_H
