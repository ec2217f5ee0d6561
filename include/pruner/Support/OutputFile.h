//===- OutputFile.h - files that are there whole or not at all --*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_OUTPUTFILE_H
#define PRUNER_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// Writes what `write` writes to a file ("-" is stdout), by way of a temporary
/// one, so that a failure leaves an older file of the name alone. What is there
/// and no file (a pipe, a device) is written to as it is.
llvm::Error
writeOutputFile(llvm::StringRef path,
                llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// Flushes a stream. One that could not be written to aborts when it goes.
llvm::Error flushOutput(llvm::raw_fd_ostream &os);

} // namespace pruner

#endif // PRUNER_SUPPORT_OUTPUTFILE_H
