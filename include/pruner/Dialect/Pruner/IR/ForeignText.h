//===- ForeignText.h - IR that others wrote, parsed in bounds ---*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser recurses on nesting and on chains of operators and has no
// limit: a hundred kilobytes of brackets end the process, and so does a chain
// of aliases. Text of records, replies and requests goes through here instead.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_IR_FOREIGNTEXT_H
#define PRUNER_DIALECT_PRUNER_IR_FOREIGNTEXT_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace pruner {

struct TextLimits {
  size_t maxBytes = size_t(64) << 20;
  unsigned maxDepth = 256;  ///< Of brackets of any kind.
  unsigned maxChain = 4096; ///< Words and operators without punctuation.
};

/// Why the parser should not see `text`; empty if it may. Brackets, words and
/// operators in strings and comments do not count. What an alias stands for
/// counts where it is used: its nesting, and its size, of which there may be
/// four times as much as a text may have bytes. Time is linear.
std::string findExcess(llvm::StringRef text, const TextLimits &limits = {});

/// The schedule that `text` spells, at most 64 KiB of it; null with a
/// diagnostic at an unknown location if it spells none.
ScheduleAttr parseScheduleText(llvm::StringRef text,
                               mlir::MLIRContext *context);

/// The same with an error that quotes the text instead of a diagnostic.
llvm::Expected<ScheduleAttr> readScheduleText(llvm::StringRef text,
                                              mlir::MLIRContext *context);

/// The verified module that `text` spells, at most 64 MiB of it; null with
/// diagnostics, whose locations name `name`, if it spells none.
mlir::OwningOpRef<mlir::ModuleOp> parseModuleText(llvm::StringRef text,
                                                  mlir::MLIRContext *context,
                                                  llvm::StringRef name);

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_FOREIGNTEXT_H
