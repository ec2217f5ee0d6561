//===- OpenLibrary.h - open shared libraries by content ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_LIBRARY_OPENLIBRARY_H
#define PRUNER_LIB_LIBRARY_OPENLIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace pruner {

/// Checks that `data` is a 64-bit shared library with all that its headers
/// name: a process that maps a file that was cut short ends.
llvm::Error checkLibrary(llvm::StringRef data);

/// What dlopen() returns for a copy of the file at `path` that nobody else can
/// write. dlopen() knows a library by its name: a file that was written anew is
/// not opened again, and what is written into a file that is open changes the
/// code that runs. A file that is no shared library, or lacks a part that its
/// headers name, is refused. The library stays open until the process ends.
llvm::Expected<void *> openLibrary(llvm::StringRef path);

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_OPENLIBRARY_H
