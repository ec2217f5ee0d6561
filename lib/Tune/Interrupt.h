//===- Interrupt.h - stop a run by signal -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TUNE_INTERRUPT_H
#define PRUNER_LIB_TUNE_INTERRUPT_H

namespace pruner {

/// While this object exists, the first SIGINT, SIGTERM or SIGHUP only asks the
/// run to stop after the current batch; a second one ends the process as usual.
/// With `signals` false no handler is installed. The destructor clears the
/// request.
class InterruptGuard {
public:
  explicit InterruptGuard(bool signals);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard &) = delete;
  InterruptGuard &operator=(const InterruptGuard &) = delete;

private:
  bool signals;
};

/// Returns true if the current run was asked to stop.
bool interrupted();

/// While this object exists, a write beyond the process's limit of file sizes
/// fails with an error instead of ending the process.
class FileSizeGuard {
public:
  FileSizeGuard();
  ~FileSizeGuard();
  FileSizeGuard(const FileSizeGuard &) = delete;
  FileSizeGuard &operator=(const FileSizeGuard &) = delete;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_INTERRUPT_H
