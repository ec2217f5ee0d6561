//===- FatalErrors.h - LLVM's last words as an error of a tool --*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_FATALERRORS_H
#define PRUNER_SUPPORT_FATALERRORS_H

namespace pruner {

/// For programs that compile what a user gave them: where LLVM gives up
/// (report_fatal_error), "<tool>: error: ..." on stderr and exit code 1 in the
/// place of a dump of the stack. Unfinished files are removed.
void exitAtFatalErrors(const char *tool);

} // namespace pruner

#endif // PRUNER_SUPPORT_FATALERRORS_H
