//===- LibraryCompiler.h - from lowered modules to a library -- -*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_LIBRARY_LIBRARYCOMPILER_H
#define PRUNER_LIB_LIBRARY_LIBRARYCOMPILER_H

#include "pruner/Library/EmitLibrary.h"

#include <chrono>

namespace pruner {

/// What the libraries of networks of static and of dynamic shape have in
/// common: lowered modules become objects, and these a library.
class LibraryCompiler {
public:
  explicit LibraryCompiler(const LibraryOptions &options);

  /// Finds the CPU that is compiled for, the linker, and `archives` of the
  /// run-time library. Comes first.
  llvm::Error open(llvm::ArrayRef<llvm::StringRef> archives);
  /// Its name and features.
  const std::pair<std::string, std::string> &target() const { return cpu; }

  /// Takes a lowered module apart and compiles it: kernels as they were
  /// measured, the rest with LLVM's default pipeline.
  void compile(mlir::ModuleOp module);
  /// Links all that was compiled, writes the header, and says what it took.
  /// `exports` are the visible symbols beside those of every network.
  llvm::Expected<LibraryReport> finish(llvm::ArrayRef<llvm::StringRef> exports,
                                       const std::string &header);

  LibraryReport report;

private:
  void compile(mlir::ModuleOp part, const CpuOptions &cpu, double &ms);

  const LibraryOptions &options;
  CpuOptions plain;
  std::pair<std::string, std::string> cpu;
  ObjectCache own;
  ObjectCache &objects;
  std::vector<std::string> keys, runtime;
  std::string linker;
};

/// Lowers to the LLVM dialect what is not yet, as a network of static shape.
llvm::Error lowerNetwork(mlir::ModuleOp module, const std::string &entry);

/// Adds the text that a library says about itself.
void addMetadata(mlir::ModuleOp module, std::string text);

double millisecondsSince(std::chrono::steady_clock::time_point start);

/// A network of dynamic shape: `dynamic` has a plan, and stands for all sizes
/// that are in none of its intervals.
llvm::Expected<LibraryReport> emitSizedLibrary(mlir::ModuleOp module,
                                               mlir::Operation *dynamic,
                                               const LibraryOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_LIBRARYCOMPILER_H
