//===- ForeignText.h - parse untrusted IR within bounds ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's parser recurses on nesting and on chains of operators without a limit.
// A hundred kilobytes of brackets, or a chain of aliases, crash the process.
// Text of records, replies and requests must therefore be parsed by these
// functions.

#ifndef PRUNER_DIALECT_PRUNER_IR_FOREIGNTEXT_H
#define PRUNER_DIALECT_PRUNER_IR_FOREIGNTEXT_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>

namespace pruner {

struct TextLimits {
  size_t maxBytes = size_t(64) << 20;
  unsigned maxDepth = 256; ///< Nesting of brackets of any kind.
  /// Words and operators without punctuation, including those before the
  /// brackets around them.
  unsigned maxChain = 4096;
};

/// Why `text` must not reach the parser, or empty if it may. Brackets, words
/// and operators in strings and comments do not count. The value of an alias
/// counts at every use, both its nesting and its size. With aliases expanded, a
/// text may be four times as large as `maxBytes`. Runs in linear time.
std::string findExcess(llvm::StringRef text, const TextLimits &limits = {});

/// Why the parser must not read a module of the user, or success if it may. A
/// network with weights may have any size, but its nesting is limited.
llvm::Error checkModuleText(llvm::MemoryBufferRef file);

/// Parses a schedule of at most 64 KiB. Returns null and emits a diagnostic at
/// an unknown location if `text` is not a schedule.
ScheduleAttr parseScheduleText(llvm::StringRef text,
                               mlir::MLIRContext *context);

/// The same, but returns an error that quotes the text.
llvm::Expected<ScheduleAttr> readScheduleText(llvm::StringRef text,
                                              mlir::MLIRContext *context);

/// Parses and verifies a module of at most 64 MiB. Returns null and emits
/// diagnostics, whose locations contain `name`, if `text` is not a module.
mlir::OwningOpRef<mlir::ModuleOp> parseModuleText(llvm::StringRef text,
                                                  mlir::MLIRContext *context,
                                                  llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_FOREIGNTEXT_H
