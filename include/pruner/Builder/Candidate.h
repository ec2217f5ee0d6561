//===- Candidate.h - from a task and a schedule to code ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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

/// The time of each stage of building a candidate; 0 for stages that did not
/// run.
struct BuildTimes {
  StageTime clone; ///< Copying the task.
  StageTime tile;  ///< Parsing and checking the schedule, emitting the kernel.
  StageTime lower; ///< MLIR passes down to the LLVM dialect.
  StageTimings code;  ///< LLVM dialect to an object or PTX.
  StageTime facts;    ///< Reading the object back.
  StageTime assemble; ///< ptxas, a child process.
  /// The passes of `tile` and `lower` by name, in order. The verifier, which
  /// runs after them, has the name `verify`.
  std::vector<std::pair<std::string, StageTime>> passes;

  /// The pass with this name, added at the end if it is new. The reference is
  /// valid until the next one is added.
  StageTime &pass(llvm::StringRef name);

  /// All stages with their names, in order.
  std::vector<std::pair<const char *, StageTime>> stages() const;
};

/// Wall milliseconds by name of the stage, for stages that took any.
llvm::json::Object toJSON(const BuildTimes &times);

struct BuiltCandidate {
  std::string format;   ///< `object`, `ptx` or `cubin`.
  std::string artifact; ///< Raw bytes.
  std::string entry;    ///< Symbol to call or launch.
  std::string ptx;      ///< What a cubin was assembled from.
  BuildTimes times;
  llvm::json::Object facts; ///< Static facts about the code.
};

struct BuildOptions {
  unsigned threads = 1; ///< Threads of a kernel for a CPU.
  /// Assemble PTX if a ptxas is found.
  bool assemble = true;
};

/// Registers the dialects of tasks and candidates.
void registerBuilderDialects(mlir::DialectRegistry &registry);

/// Compiles `task` under `schedule` for `target`. Only this function interprets
/// the text of a schedule:
///
/// * `plain`: plain loops, LLVM without its vectorizers;
/// * `default`: the untuned default, compiled as in the library of a network;
/// * `#pruner.schedule<...>`: the tiled kernel.
llvm::Expected<BuiltCandidate> buildCandidate(const TaskProgram &task,
                                              llvm::StringRef schedule,
                                              const CodeTarget &target,
                                              const BuildOptions &options = {});

/// Compiles a module of linalg on tensors to plain loops for the host and
/// returns the object. This is the path of references; it shares no pass with
/// scheduled candidates. The loop over the last coordinate of each result
/// becomes the innermost one, which lets LLVM vectorize it and changes the
/// order of no sum. Lowers `module` in place. With `brief`, LLVM neither
/// vectorizes nor unrolls; use it for code that runs for less time than LLVM's
/// default pipeline takes.
llvm::Expected<std::string> compileReference(mlir::ModuleOp module,
                                             bool brief = false);

} // namespace pruner

#endif // PRUNER_BUILDER_CANDIDATE_H
