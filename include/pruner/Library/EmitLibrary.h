//===- EmitLibrary.h - networks as shared libraries -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIBRARY_EMITLIBRARY_H
#define PRUNER_LIBRARY_EMITLIBRARY_H

#include "mlir/IR/BuiltinOps.h"
#include "pruner/Library/ObjectCache.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace pruner {

struct LibraryOptions {
  /// The path of the library and, if not empty, of its C header.
  std::string output, header;
  /// The network's function; if empty, the only public one.
  std::string entry;
  /// A JSON file with names of arguments and results, or empty.
  std::string names;
  /// See LinkOptions.
  std::string linker;
  /// The chip of a library that runs on a GPU. If empty, that of tuned GPU
  /// kernels; the library of a network without GPU kernels runs on the CPU.
  std::string chip;
  /// For a GPU: assemble the kernels with ptxas. Otherwise the driver does when
  /// the library is loaded.
  bool cubin = false;
  /// Options for compiling kernels. Code without a schedule is compiled with
  /// LLVM's default pipeline and its loop vectorizer instead, at `plainLevel`.
  CpuOptions cpu;
  unsigned plainLevel = 3;
  /// Objects that other libraries have already compiled; may be null. The
  /// library is the same, byte for byte.
  ObjectCache *objects = nullptr;
};

/// Wall-clock milliseconds, and the contents of the library. `linkMs` includes
/// waiting for objects that other threads compile.
struct LibraryReport {
  double lowerMs = 0, kernelsMs = 0, plainMs = 0, linkMs = 0;
  unsigned kernels = 0, plainFunctions = 0;
};

/// Emits a shared library for a network on tensors (tuned or not), or for a
/// network that `pruner-network-to-llvm` has lowered. The library of a network
/// with GPU kernels runs on a GPU and has the same interface. Errors describe
/// problems of the options. Problems of the module are also diagnostics at the
/// op.
llvm::Expected<LibraryReport> emitLibrary(mlir::ModuleOp module,
                                          const LibraryOptions &options);

/// Returns the error that emitLibrary() would return for these options, such as
/// a missing linker, for programs that do other work first.
llvm::Error checkLibraryOptions(const LibraryOptions &options);

/// Lowers a network for a CPU, which changes `module`, and returns the error
/// that emitLibrary() would return for it, for programs that do other work
/// first. Networks of dynamic shape are not lowered.
llvm::Error checkNetwork(mlir::ModuleOp module, llvm::StringRef entry);

/// Registers the dialects that a network may contain.
void registerLibraryDialects(mlir::DialectRegistry &registry);

} // namespace pruner

#endif // PRUNER_LIBRARY_EMITLIBRARY_H
