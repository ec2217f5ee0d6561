//===- WholeText.h - IR printed without omissions ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_IR_WHOLETEXT_H
#define PRUNER_DIALECT_PRUNER_IR_WHOLETEXT_H

#include "mlir/IR/OperationSupport.h"

#include <cstdint>

namespace pruner {

/// Flags that print IR completely, for keys and for other processes. They
/// override command line options that shorten the output for people
/// (`--mlir-elide-elementsattrs-if-larger`, `--mlir-print-skip-regions`), so
/// that different programs have different texts.
inline mlir::OpPrintingFlags wholeText() {
  return mlir::OpPrintingFlags()
      .elideLargeElementsAttrs(INT64_MAX)
      .elideLargeResourceString(INT64_MAX)
      .skipRegions(false);
}

} // namespace pruner

#endif // PRUNER_DIALECT_PRUNER_IR_WHOLETEXT_H
