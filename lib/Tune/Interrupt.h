//===- Interrupt.h - stopping a run by signal -------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_INTERRUPT_H
#define PRUNER_LIB_TUNE_INTERRUPT_H

namespace pruner {

/// While one lives, the first SIGINT or SIGTERM only asks the run to stop after
/// the current batch; the second one ends the process as usual.
/// Without `signals` nothing is asked by these. What was asked is forgotten
/// with the run.
class InterruptGuard {
public:
  explicit InterruptGuard(bool signals);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;

private:
  bool signals;
};

/// Whether a stop was asked for, of the run that is under way.
bool interrupted();

/// While it lives, a write beyond the file size limit of the process fails,
/// with an error that says so, and does not end the process.
class FileSizeGuard {
public:
  FileSizeGuard();
  ~FileSizeGuard();
  FileSizeGuard(const FileSizeGuard &) = delete;
  FileSizeGuard &operator=(const FileSizeGuard &) = delete;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_INTERRUPT_H
