//===- OpenLibrary.h - open shared libraries by content ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_LIBRARY_OPENLIBRARY_H
#define PRUNER_LIB_LIBRARY_OPENLIBRARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace pruner {

/// Opens a private copy of the file at `path` with dlopen(). dlopen()
/// identifies a library by its name: it would not open a rewritten file again,
/// and writing to an open file changes running code. Rejects a file that is not
/// a shared library, or lacks a part that its headers refer to. The library
/// stays open until the process ends.
llvm::Expected<void *> openLibrary(llvm::StringRef path);

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_OPENLIBRARY_H
