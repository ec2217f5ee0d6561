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

/// Checks the options of passes and pipelines that arguments such as
/// `--pruner-tune='trials=3'` give, before anything is read: those that do not
/// exist, and values of another kind. Errors go to stderr, with the number of
/// the argument, the pass and the nearest name. False if there were any.
bool checkPassOptions(llvm::ArrayRef<const char *> arguments);

} // namespace pruner

#endif // PRUNER_LIB_TOOLS_PRUNEROPT_CHECKOPTIONS_H
