//===- Translation.h - translate lowered MLIR to LLVM IR --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TARGET_TRANSLATION_H
#define PRUNER_TARGET_TRANSLATION_H

#include "pruner/Target/StageTimer.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm
namespace mlir {
class DialectRegistry;
class Operation;
} // namespace mlir

namespace pruner {

/// Registers the dialects that a lowered module may contain, and their
/// translations to LLVM IR: builtin, LLVM, NVVM, GPU, OpenMP and DLTI. Every
/// context that parses or builds a module for this component needs it.
void registerTargetDialects(mlir::DialectRegistry &registry);

/// Translates a `builtin.module` or a `gpu.module` with the dialects of
/// `registerTargetDialects`. The error contains all diagnostics of the
/// translation.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::Operation *module, llvm::LLVMContext &context,
                llvm::StringRef name = "kernel");

/// The stages of one compilation.
struct StageTimings {
  StageTime translate; ///< MLIR to LLVM IR.
  StageTime optimize;  ///< The LLVM IR pass pipeline.
  StageTime codegen;   ///< Instruction selection to bytes.

  StageTimings &operator+=(const StageTimings &other) {
    translate += other.translate;
    optimize += other.optimize;
    codegen += other.codegen;
    return *this;
  }
};

} // namespace pruner

#endif // PRUNER_TARGET_TRANSLATION_H
