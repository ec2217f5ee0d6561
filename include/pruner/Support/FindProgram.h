//===- FindProgram.h - programs along PATH ----------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_FINDPROGRAM_H
#define PRUNER_SUPPORT_FINDPROGRAM_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace pruner {

/// The program of that name along PATH. Directories that are relative, or
/// empty, which stands for the current one, are passed over: what happens to
/// lie in a directory that a tool is started in must not run. A name with a
/// slash is a path and comes back if it can be executed.
std::optional<std::string> findProgram(llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_SUPPORT_FINDPROGRAM_H
