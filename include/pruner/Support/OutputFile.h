//===- OutputFile.h - files that are there whole or not at all --*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results are written beside the file that they replace, made durable, and
// renamed. An error, a full disk or the end of the process leaves the older
// file as it was. Everything that writes results goes through here.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_SUPPORT_OUTPUTFILE_H
#define PRUNER_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// Writes what `write` writes to a file ("-" is stdout). What exists and is no
/// regular file (a pipe, a device) is written to directly. Of a symbolic link,
/// the file behind it is replaced. The new file has the older one's
/// permissions. Errors do not name the path.
llvm::Error
writeOutputFile(llvm::StringRef path,
                llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// The same for files that another program writes: `write` gets the path that
/// it is to create, in the directory of `path`.
llvm::Error
replaceOutputFile(llvm::StringRef path,
                  llvm::function_ref<llvm::Error(llvm::StringRef)> write);

/// Flushes a stream. One that could not be written to aborts when it goes.
llvm::Error flushOutput(llvm::raw_fd_ostream &os);

} // namespace pruner

#endif // PRUNER_SUPPORT_OUTPUTFILE_H
