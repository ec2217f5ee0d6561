//===- CodeGeneration.h - LLVM's code generators ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TARGET_CODEGENERATION_H
#define PRUNER_LIB_TARGET_CODEGENERATION_H

#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class raw_pwrite_stream;
class TargetMachine;
} // namespace llvm

namespace pruner {

/// Whether addresses of a loop may become pointers that move from step to step
/// (LLVM's loop strength reduction).
enum class StrengthReduction { Yes, No };

/// Writes code for `module` in the form `fileType`. Fails if LLVM has no such
/// form for the machine. Threads may call it at the same time.
llvm::Error generateCode(llvm::Module &module, llvm::TargetMachine &machine,
                         llvm::raw_pwrite_stream &stream,
                         llvm::CodeGenFileType fileType,
                         StrengthReduction reduction);

} // namespace pruner

#endif // PRUNER_LIB_TARGET_CODEGENERATION_H
