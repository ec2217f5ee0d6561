//===- FindProgram.h - look up programs in PATH -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_FINDPROGRAM_H
#define PRUNER_SUPPORT_FINDPROGRAM_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace pruner {

/// Finds the program `name` in PATH. Relative and empty directories (an empty
/// one means the current directory) are skipped, so that a tool never runs a
/// program only because it lies in the current directory. A name with a slash
/// is a path; it is returned if it can be executed.
std::optional<std::string> findProgram(llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_SUPPORT_FINDPROGRAM_H
