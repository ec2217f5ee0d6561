//===- CheckOptions.h - options of passes on the command line ---*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TOOLS_PRUNEROPT_CHECKOPTIONS_H
#define PRUNER_LIB_TOOLS_PRUNEROPT_CHECKOPTIONS_H

#include "llvm/ADT/ArrayRef.h"

namespace pruner {

/// Checks the options of passes and pipelines in arguments such as
/// `--pruner-tune='trials=3'`, before any input is read. Errors about unknown
/// options and invalid values go to stderr, with the number of the argument,
/// the pass and the most similar option. Returns false if there were errors.
bool checkPassOptions(llvm::ArrayRef<const char *> arguments);

} // namespace pruner

#endif // PRUNER_LIB_TOOLS_PRUNEROPT_CHECKOPTIONS_H
