//===- Ptx.h - lowered GPU modules to PTX -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TARGET_PTX_H
#define PRUNER_TARGET_PTX_H

#include "pruner/Target/Translation.h"
#include <string>
#include <vector>

namespace pruner {

struct PtxOptions {
  /// `sm_70` and newer, including variants such as `sm_90a`.
  std::string chip = "sm_80";
  /// The PTX version as major * 10 + minor. 0 selects the lowest version that
  /// supports the chip. A driver assembles PTX up to its own version, so the
  /// lowest version runs on the most machines.
  unsigned ptxVersion = 0;
  /// 0: no IR passes; 1, 2: the lean pipeline; 3: LLVM's O3 without its
  /// vectorizers.
  unsigned optLevel = 3;
};

struct PtxCode {
  std::string text;
  /// The entry points, in order.
  std::vector<std::string> kernels;
  StageTimings timings;
};

/// The chips `emitPtx` accepts, in ascending order.
std::vector<std::string> knownGpuChips();

/// Compiles a `gpu.module` (or `builtin.module`) of LLVM and NVVM ops. Fails on
/// an unknown chip or PTX version, on errors of LLVM, and if the PTX calls a
/// function that it does not contain.
llvm::Expected<PtxCode> emitPtx(mlir::Operation *module,
                                const PtxOptions &options = {});

} // namespace pruner

#endif // PRUNER_TARGET_PTX_H
