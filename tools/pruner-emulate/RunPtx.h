//===- RunPtx.h - run a kernel of a PTX file --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_EMULATE_RUNPTX_H
#define PRUNER_TOOLS_EMULATE_RUNPTX_H

#include "Arguments.h"
#include "pruner/Ptx/Machine.h"

namespace pruner {

struct PtxRun {
  std::string file, kernel;
  std::string counts; ///< File for the counts; empty for none.
  /// Threads of a block; by default those that the kernel states.
  std::optional<std::array<unsigned, 3>> block;
  std::vector<unsigned> poisoned; ///< Arguments that are only written.
  ptx::LaunchOptions options;
};

/// Parses `f32x64` (an array) or `f32` (a value). Returns false if it cannot.
bool parseArgument(llvm::StringRef text, mlir::MLIRContext &context,
                   EmulatedArgument &argument);

/// Runs the kernel on `arguments`. A kernel with asynchronous copies runs
/// twice, with copies at their issue and at their wait, and fails if the
/// results differ.
llvm::Error runPtx(const PtxRun &run, std::vector<EmulatedArgument> &arguments);

} // namespace pruner

#endif // PRUNER_TOOLS_EMULATE_RUNPTX_H
