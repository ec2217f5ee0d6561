//===- Cases.h - run networks in child processes ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_NETWORKS_CASES_H
#define PRUNER_FUZZING_NETWORKS_CASES_H

#include "Fuzzing/Networks/NetworkFuzz.h"
#include "NetworkCheck.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <csignal>

namespace pruner {

/// The progress of a child, in shared memory, so that the parent can read it
/// after the child died.
struct CaseProgress {
  uint64_t current;
  NetworkFuzzReport report;
  char stage[64];
  char wrong[512];
  volatile sig_atomic_t stop;
  bool replaced; ///< The executable, before `current` was done.
};

/// Allocates it in shared memory; null if that fails.
CaseProgress *shareProgress();

/// How a child ended.
struct ChildEnd {
  bool crashed = false;
  std::string how; ///< The signal's name.
};

/// Runs `body` in a child.
ChildEnd runChild(llvm::function_ref<void()> body);

/// Whether the file that this process was started from is gone or another one:
/// a library is linked with other files of the directory, so a later failure
/// has no meaning for a network.
bool executableIsReplaced();

/// A directory that goes when this does.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  std::string path;
};

/// The dialects of pruner-opt, with the translations of pruner-translate.
mlir::DialectRegistry &networkDialects();
mlir::DialectRegistry &libraryDialects();

/// The random choices of a case, and the seed of its inputs.
NetworkChoices choicesOf(const NetworkFuzzOptions &options, uint64_t number,
                         uint64_t schedules, const std::string &directory);

} // namespace pruner

#endif // PRUNER_FUZZING_NETWORKS_CASES_H
