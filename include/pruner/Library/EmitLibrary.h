//===- EmitLibrary.h - networks as shared libraries -------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIBRARY_EMITLIBRARY_H
#define PRUNER_LIBRARY_EMITLIBRARY_H

#include "mlir/IR/BuiltinOps.h"
#include "pruner/Library/ObjectCache.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pruner {

struct LibraryOptions {
  /// Where the library goes, and its C header if that is not empty.
  std::string output, header;
  /// The network's function; empty when only one is public.
  std::string entry;
  /// A JSON file with names of arguments and results; may be empty.
  std::string names;
  /// See LinkOptions.
  std::string linker;
  /// How kernels are compiled. What no schedule was found for is compiled with
  /// LLVM's default pipeline and its loop vectoriser instead, at `plainLevel`.
  CpuOptions cpu;
  unsigned plainLevel = 3;
  /// Where objects are that other libraries may have had compiled; may be null.
  /// The library is the same, byte for byte.
  ObjectCache *objects = nullptr;
};

/// Wall-clock milliseconds, and what the library holds. What other threads
/// compile for it is waited for in `linkMs`.
struct LibraryReport {
  double lowerMs = 0, kernelsMs = 0, plainMs = 0, linkMs = 0;
  unsigned kernels = 0, plainFunctions = 0;
};

/// Makes a shared library of a network: of tensors (tuned or not), or lowered
/// by `pruner-network-to-llvm` already. Errors name what is wrong with the
/// options; what is wrong with the module is also a diagnostic at its place.
llvm::Expected<LibraryReport> emitLibrary(mlir::ModuleOp module,
                                          const LibraryOptions &options);

/// The dialects that a network may hold.
void registerLibraryDialects(mlir::DialectRegistry &registry);

} // namespace pruner

#endif // PRUNER_LIBRARY_EMITLIBRARY_H
