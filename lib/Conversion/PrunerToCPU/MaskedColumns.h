//===- MaskedColumns.h - columns that a kernel need not compute -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// In causal attention most rows have a mask that is minus infinity from some
// column on. The weights of these columns are zero, so they change no result:
// neither the maximum of a row, nor its sum, nor the product of the weights and
// the values. A kernel may then stop at the last column that some row of a
// block needs. The mask is data, so the kernel searches for that column.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOCPU_MASKEDCOLUMNS_H
#define PRUNER_LIB_CONVERSION_PRUNERTOCPU_MASKEDCOLUMNS_H

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

namespace pruner {

/// An element of an argument of the kernel, at coordinates that are functions
/// of the domain.
struct ElementRead {
  mlir::Value buffer;
  mlir::AffineMap map;
};

/// A condition that the values of `body` (or the elements of the only read, if
/// it is null) must satisfy: their magnitudes are below `limit`.
struct MagnitudeCheck {
  /// The block of the kernel at whose start the condition is evaluated, for all
  /// positions that statements inside it read.
  mlir::Block *at = nullptr;
  llvm::SmallVector<ElementRead> reads;
  mlir::Block *body = nullptr;
  double limit = 0;
};

/// The statements in `block` give the same results without the columns from
/// some multiple of `unit` on, if two conditions hold: `scores`, computed with
/// zeros for its input number `product`, is minus infinity in each of these
/// columns and each row of the block; and `checks` are satisfied. At least
/// `unit` columns must be computed.
struct MaskedColumns {
  mlir::Block *block = nullptr;
  /// The dimension of the domain along the columns.
  unsigned dim = 0;
  int64_t unit = 1;
  ComputeOp scores;
  unsigned product = 0;
  llvm::SmallVector<MagnitudeCheck> checks;
};

/// The blocks of `kernel` whose statements may stop early. Empty if this cannot
/// be proven, for NaN and infinities as well, or does not pay off.
llvm::SmallVector<MaskedColumns> findMaskedColumns(KernelOp kernel);

/// The number of positions along `dim` that the loops of bands inside `block`
/// and those of `compute`, which is inside it, span together.
int64_t spanInside(mlir::Block *block, ComputeOp compute, unsigned dim);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOCPU_MASKEDCOLUMNS_H
