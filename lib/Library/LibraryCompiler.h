//===- LibraryCompiler.h - from lowered modules to a library -- -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_LIBRARY_LIBRARYCOMPILER_H
#define PRUNER_LIB_LIBRARY_LIBRARYCOMPILER_H

#include "pruner/Library/EmitLibrary.h"

#include <chrono>

namespace pruner {

/// The common part of emitting libraries of networks of static and of dynamic
/// shape: compiles lowered modules to objects and links these.
class LibraryCompiler {
public:
  explicit LibraryCompiler(const LibraryOptions &options);

  /// Determines the CPU, the linker, and the `archives` of the runtime library.
  /// Must be called first.
  llvm::Error open(llvm::ArrayRef<llvm::StringRef> archives);
  /// The name and features of the CPU.
  const std::pair<std::string, std::string> &target() const { return cpu; }

  /// Splits a lowered module and compiles it: kernels as they were measured,
  /// the rest with LLVM's default pipeline.
  void compile(mlir::ModuleOp module);
  /// Compiles a lowered module without kernels as one object.
  void compileWhole(mlir::ModuleOp module);
  /// Links all objects, writes the header, and reports times. `exports` are
  /// visible symbols in addition to those of every network.
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

/// Lowers `module` to the LLVM dialect as a network of static shape, if
/// necessary.
llvm::Error lowerNetwork(mlir::ModuleOp module, const std::string &entry);

/// Adds the text of the library's metadata.
void addMetadata(mlir::ModuleOp module, std::string text);

double millisecondsSince(std::chrono::steady_clock::time_point start);

/// Emits a network of dynamic shape. `dynamic` has a plan and runs all sizes
/// that are in none of its intervals.
llvm::Expected<LibraryReport> emitSizedLibrary(mlir::ModuleOp module,
                                               mlir::Operation *dynamic,
                                               const LibraryOptions &options);

/// Whether the function `entry`, or the public ones if it is empty, launch GPU
/// kernels, also in functions that they call.
bool launchesKernels(mlir::ModuleOp module, llvm::StringRef entry);

/// Emits a network of static shape that runs on a GPU.
llvm::Expected<LibraryReport> emitDeviceLibrary(mlir::ModuleOp module,
                                                const LibraryOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_LIBRARYCOMPILER_H
