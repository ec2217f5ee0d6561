//===- ObjectCode.h - lowered modules to host object code -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TARGET_OBJECTCODE_H
#define PRUNER_TARGET_OBJECTCODE_H

#include "pruner/Target/Translation.h"
#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// Options for compiling a CPU module. They include everything that can change
/// the object code.
struct CpuOptions {
  /// An LLVM CPU name (`znver3`, `skylake-avx512`), or `host` for the CPU of
  /// this process with exactly the features that it reports.
  std::string cpu = "host";
  /// Extra features such as `+avx512f,-fma`, which override those of the CPU.
  std::string features;
  /// Empty: the triple of this process.
  std::string triple;
  /// 0: no IR passes; 1, 2: the lean pipeline; 3: LLVM's default O3 pipeline.
  /// Code generation uses the same level.
  unsigned optLevel = 2;
  /// LLVM's vectorizers. Off by default, because a schedule contains its
  /// vectors, and SLP takes three quarters of the optimization time. Either one
  /// selects LLVM's default pipeline.
  bool slpVectorize = false;
  bool loopVectorize = false;
  /// Loop unrolling and interleaving in LLVM's default pipeline, which take a
  /// third to two thirds of its time for plain loops.
  bool loopUnroll = true;
  /// The widest vectors in bits that code generation uses; wider vectors of the
  /// IR are split. 512 overrides the tuning of CPUs for which LLVM prefers
  /// 256-bit vectors although they have AVX-512. 0 leaves the choice to LLVM.
  unsigned preferVectorWidth = 512;
};

/// A relocatable object in memory.
struct ObjectCode {
  llvm::SmallVector<char, 0> bytes;
  /// The resolved CPU and features.
  std::string cpu, features;
  StageTimings timings;
};

/// Compiles a `builtin.module` of LLVM (and OpenMP) ops. Contracts
/// floating-point operations only if they have the flag `contract`. Fails on an
/// unknown CPU, feature or triple, and on any error of the translation or LLVM.
llvm::Expected<ObjectCode> compileToObject(mlir::Operation *module,
                                           const CpuOptions &options = {});

/// The same, as textual assembly.
llvm::Expected<std::string> compileToAssembly(mlir::Operation *module,
                                              const CpuOptions &options = {});

/// The input of code generation: the LLVM IR after the pipeline, with target
/// and function attributes.
llvm::Expected<std::string> compileToLLVMIR(mlir::Operation *module,
                                            const CpuOptions &options = {});

/// The name and the features of the CPU of these options, with `host` resolved
/// as in `ObjectCode`.
llvm::Expected<std::pair<std::string, std::string>>
describeCpu(const CpuOptions &options);

} // namespace pruner

#endif // PRUNER_TARGET_OBJECTCODE_H
