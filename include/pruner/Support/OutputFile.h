//===- OutputFile.h - atomic writes of files --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result is written to a temporary file next to the file that it replaces,
// flushed to disk, and renamed. An error, a full disk or the end of the process
// leaves the older file unchanged. All code that writes results uses these
// functions.

#ifndef PRUNER_SUPPORT_OUTPUTFILE_H
#define PRUNER_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// Calls `write` to write a file ("-" is stdout). An existing path that is not
/// a regular file (a pipe, a device) is written directly. For a symbolic link,
/// its target is replaced. The new file gets the permissions of the older one.
/// Errors do not include the path.
llvm::Error
writeOutputFile(llvm::StringRef path,
                llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// The same for files that another program writes. `write` gets the path to
/// create, which is in the directory of `path`.
llvm::Error
replaceOutputFile(llvm::StringRef path,
                  llvm::function_ref<llvm::Error(llvm::StringRef)> write);

/// Flushes a stream and returns its error. Without this call, the destructor of
/// a stream with an error aborts.
llvm::Error flushOutput(llvm::raw_fd_ostream &os);

/// Whether two names, of files that may not be there yet, are of one file. No
/// device or pipe is.
bool isSameFile(llvm::StringRef a, llvm::StringRef b);

} // namespace pruner

#endif // PRUNER_SUPPORT_OUTPUTFILE_H
