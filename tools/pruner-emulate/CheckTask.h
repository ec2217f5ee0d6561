//===- CheckTask.h - compare kernels with their task ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TOOLS_PRUNER_EMULATE_CHECKTASK_H
#define PRUNER_TOOLS_PRUNER_EMULATE_CHECKTASK_H

#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace pruner {

struct TaskCheck {
  /// A module with one function, which has a schedule for a GPU.
  std::string file;
  /// The machine of the code (`parseTarget`).
  std::string target;
  /// PTX that replaces the generated one, with kernels of the same names. Empty
  /// for the generated one.
  std::string ptx;
  /// About the most instructions of warps that run (`RunRequest::emulate`).
  int64_t limit = 0;
  /// The seed of the inputs.
  int64_t seed = 0;
};

/// Runs the kernels of the task in the PTX machine on the inputs with which
/// candidates are verified, and compares the results with the task's. Returns a
/// line for the user. Fails if a result is wrong, if the machine finds a fault,
/// or if it cannot run the kernels within the limit.
llvm::Expected<std::string> checkTask(const TaskCheck &check);

} // namespace pruner

#endif // PRUNER_TOOLS_PRUNER_EMULATE_CHECKTASK_H
