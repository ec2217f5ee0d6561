//===- SharedLibrary.h - link objects to a shared library -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TARGET_SHAREDLIBRARY_H
#define PRUNER_TARGET_SHAREDLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// Options for linking objects to a shared library.
struct LinkOptions {
  /// A compiler driver (`cc`) or a linker (a name that begins with `ld`, or
  /// `mold`). If empty, the one that `findLinker` finds.
  std::string linker;
  /// Static libraries that are included as a whole.
  std::vector<std::string> archives;
  /// The symbols visible from outside; all others are local to the library.
  std::vector<std::string> exports;
};

/// The path of the program that links. If `linker` is empty, the ld.lld that is
/// part of the Python wheel, next to its other programs, or else the first of
/// cc, gcc, clang (and clang-22), ld.lld (and ld.lld-22) and ld in PATH.
llvm::Expected<std::string> findLinker(llvm::StringRef linker = "");

/// The error of linkSharedLibrary() if it cannot write temporary files.
llvm::Error checkTemporaryDirectory();

/// Links relocatable objects to the library `output`. It depends only on the C
/// library and its mathematical functions. A symbol that neither they nor the
/// objects define is an error. Errors contain the output of the linker, and do
/// not change an existing file.
llvm::Error linkSharedLibrary(llvm::ArrayRef<llvm::ArrayRef<char>> objects,
                              const std::string &output,
                              const LinkOptions &options);

} // namespace pruner

#endif // PRUNER_TARGET_SHAREDLIBRARY_H
