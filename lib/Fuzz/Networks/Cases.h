//===- Cases.h - networks in processes of their own -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_FUZZ_NETWORKS_CASES_H
#define PRUNER_LIB_FUZZ_NETWORKS_CASES_H

#include "NetworkCheck.h"
#include "pruner/Fuzz/Networks/NetworkFuzz.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <csignal>

namespace pruner {

/// What a child tells its parent, in shared memory: readable when it died.
struct CaseProgress {
  uint64_t current;
  NetworkFuzzReport report;
  char stage[64];
  char wrong[512];
  volatile sig_atomic_t stop;
};

/// Shared memory for it; null if there is none.
CaseProgress *shareProgress();

/// How a child ended.
struct ChildEnd {
  bool crashed = false;
  std::string how; ///< The signal's name.
};

/// Runs `body` in a child.
ChildEnd runChild(llvm::function_ref<void()> body);

/// Ends the process `seconds` of processor time from now, or ten times as many
/// by the clock: other work on the machine must not make a case hang.
void limitTime(unsigned seconds);

/// Copies text into a field of the shared memory.
void copyText(llvm::MutableArrayRef<char> to, llvm::StringRef from);

/// A directory that goes when this does.
class TemporaryDirectory {
public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  std::string path;
};

/// What pruner-opt knows, and what pruner-translate does.
mlir::DialectRegistry &networkDialects();
mlir::DialectRegistry &libraryDialects();

/// The random choices of a case, and the seed of its inputs.
NetworkChoices choicesOf(const NetworkFuzzOptions &options, uint64_t number,
                         uint64_t schedules, const std::string &directory);

} // namespace pruner

#endif // PRUNER_LIB_FUZZ_NETWORKS_CASES_H
