//===- HostProcess.h - Pruner as a library in a process ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_HOSTPROCESS_H
#define PRUNER_SUPPORT_HOSTPROCESS_H

namespace pruner {

/// From now on, no handler of a signal is installed to remove temporary files.
/// The process belongs to a host program, and so do its handlers.
void leaveSignalHandlersAlone();

} // namespace pruner

#endif // PRUNER_SUPPORT_HOSTPROCESS_H
