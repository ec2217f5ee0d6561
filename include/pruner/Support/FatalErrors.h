//===- FatalErrors.h - LLVM's fatal errors as errors of a tool --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_FATALERRORS_H
#define PRUNER_SUPPORT_FATALERRORS_H

namespace pruner {

/// Installs a handler for LLVM's fatal errors (report_fatal_error). The handler
/// prints "<tool>: error: ..." to stderr and exits with code 1, without a stack
/// dump. It also removes unfinished files. For programs that compile user
/// input.
void exitAtFatalErrors(const char *tool);

} // namespace pruner

#endif // PRUNER_SUPPORT_FATALERRORS_H
