//===- DeviceCode.h - PTX of a program's kernels ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIBRARY_DEVICECODE_H
#define PRUNER_LIBRARY_DEVICECODE_H

#include "pruner/Target/Ptx.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace pruner {

/// Returns the PTX of the kernels of `module` as one text.
///
/// The kernels are in `gpu.module`s of LLVM and NVVM ops, as pruner-to-nvvm
/// leaves them, or in `gpu.binary` ops that contain PTX, as pruner-tune and
/// pruner-apply-best leave them. `name` selects one of them; if it is empty,
/// all are taken. A module without either is compiled as it is. `options` do
/// not apply to a `gpu.binary`, whose chip must be `options.chip`.
///
/// Fails if no kernel has this name, or if two texts define the same name or
/// differ in their PTX version.
llvm::Expected<PtxCode> emitDeviceCode(mlir::ModuleOp module,
                                       llvm::StringRef name,
                                       const PtxOptions &options);

/// The chip for which the kernels of `module` were compiled: that of the first
/// `gpu.binary`, or empty if there is none.
std::string deviceChip(mlir::ModuleOp module);

/// Describes how the host functions of `module` run its kernels: for each
/// function its buffers and, in order, its launches, calls and other
/// operations. docs/reference/FileFormats.md describes the members. Fails if
/// the grid, the block or the shared memory of a launch is not constant.
llvm::Expected<llvm::json::Value> launchTable(mlir::ModuleOp module,
                                              llvm::StringRef chip);

} // namespace pruner

#endif // PRUNER_LIBRARY_DEVICECODE_H
