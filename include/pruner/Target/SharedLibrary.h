//===- SharedLibrary.h - objects linked to a library ------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TARGET_SHAREDLIBRARY_H
#define PRUNER_TARGET_SHAREDLIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// How objects become a shared library.
struct LinkOptions {
  /// A compiler driver (`cc`) or a linker (a name that begins with `ld`, or
  /// `mold`). Empty: the first that `findLinker` finds.
  std::string linker;
  /// Static libraries taken as a whole.
  std::vector<std::string> archives;
  /// The symbols visible from outside; all others are local to the library.
  std::vector<std::string> exports;
};

/// The path of the program that links: `linker`, or if that is empty cc, gcc,
/// clang (and clang-22), ld.lld (and ld.lld-22) or ld in PATH, in this order.
llvm::Expected<std::string> findLinker(llvm::StringRef linker = "");

/// Links relocatable objects to the library `output`. It depends on the C
/// library, its mathematical functions and nothing else; a symbol that neither
/// they nor the objects define is an error. Errors carry what the linker said,
/// and leave an older file of that name as it was.
llvm::Error linkSharedLibrary(llvm::ArrayRef<llvm::ArrayRef<char>> objects,
                              const std::string &output,
                              const LinkOptions &options);

} // namespace pruner

#endif // PRUNER_TARGET_SHAREDLIBRARY_H
