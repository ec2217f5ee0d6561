//===- ObjectCode.h - lowered modules to host object code -------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TARGET_OBJECTCODE_H
#define PRUNER_TARGET_OBJECTCODE_H

#include "pruner/Target/Translation.h"
#include "llvm/ADT/SmallVector.h"

namespace pruner {

/// How a CPU module is compiled. Everything that can change the object code is
/// here.
struct CpuOptions {
  /// An LLVM CPU name (`znver3`, `skylake-avx512`), or `host` for the CPU this
  /// process runs on, with exactly the features it reports.
  std::string cpu = "host";
  /// Extra features, `+avx512f,-fma`; they win over those of the CPU.
  std::string features;
  /// Empty: the triple of this process.
  std::string triple;
  /// 0: no IR passes; 1, 2: the lean pipeline; 3: LLVM's default O3 pipeline.
  /// Code generation uses the same level.
  unsigned optLevel = 2;
  /// LLVM's vectorisers. Off, because a schedule writes its vectors itself and
  /// SLP costs three quarters of the optimisation time; either one selects
  /// LLVM's default pipeline.
  bool slpVectorize = false;
  bool loopVectorize = false;
  /// Whether LLVM's default pipeline unrolls and interleaves loops, which is a
  /// third to two thirds of its time for plain ones.
  bool loopUnroll = true;
  /// The widest vectors in bits that code generation uses; wider ones in the IR
  /// are split. 512 overrides the tuning of CPUs for which LLVM prefers 256-bit
  /// vectors although they have AVX-512. 0 leaves the choice to LLVM.
  unsigned preferVectorWidth = 512;
};

/// A relocatable object in memory.
struct ObjectCode {
  llvm::SmallVector<char, 0> bytes;
  /// What `host` turned into.
  std::string cpu, features;
  StageTimings timings;
};

/// Compiles a `builtin.module` of LLVM (and OpenMP) ops. Floating-point
/// operations are contracted where the IR says `contract` and nowhere else.
/// Fails on an unknown CPU, feature or triple, and on anything the translation
/// or LLVM reports.
llvm::Expected<ObjectCode> compileToObject(mlir::Operation *module,
                                           const CpuOptions &options = {});

/// The same as textual assembly.
llvm::Expected<std::string> compileToAssembly(mlir::Operation *module,
                                              const CpuOptions &options = {});

/// The LLVM IR that code generation sees: after the pipeline, with target and
/// function attributes.
llvm::Expected<std::string> compileToLLVMIR(mlir::Operation *module,
                                            const CpuOptions &options = {});

/// The name and the features of the CPU that these options compile for, with
/// `host` resolved, as in `ObjectCode`.
llvm::Expected<std::pair<std::string, std::string>>
describeCpu(const CpuOptions &options);

} // namespace pruner

#endif // PRUNER_TARGET_OBJECTCODE_H
