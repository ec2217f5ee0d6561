//===- OpenLibrary.h - open shared libraries by content ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_LIBRARY_OPENLIBRARY_H
#define PRUNER_LIB_LIBRARY_OPENLIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace pruner {

/// Checks that `data` is a 64-bit shared library with all that its headers
/// name. A process that maps a truncated file crashes.
llvm::Error checkLibrary(llvm::StringRef data);

/// Opens a copy of the file at `path` that no other process can write, and
/// returns the handle of dlopen(). A copy is necessary because dlopen()
/// identifies a library by its name: it does not open a file again that was
/// replaced, and a write to an open file changes the code that runs. Fails if
/// the file is not a shared library, or lacks a part that its headers name. The
/// library stays open until the process ends.
llvm::Expected<void *> openLibrary(llvm::StringRef path);

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_OPENLIBRARY_H
