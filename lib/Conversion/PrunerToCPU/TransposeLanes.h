//===- TransposeLanes.h - transpose squares of lanes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOCPU_TRANSPOSELANES_H
#define PRUNER_LIB_CONVERSION_PRUNERTOCPU_TRANSPOSELANES_H

#include "mlir/IR/Builders.h"

namespace pruner {

/// Whether elements have at most 16 bits. x86 interleaves such elements in one
/// instruction, within 16 bytes of a vector.
bool isNarrow(mlir::Type element);

/// Transposes the squares in `rows`: n vectors (a power of two) of a multiple
/// of n lanes, where lanes k n to k n + n - 1 are square number k (Eklundh, A
/// Fast Computer Method for Matrix Transposing, 1972). Takes log2(n) rounds of
/// n shuffles of two registers. Narrow elements are interleaved instead, in as
/// many rounds.
void transposeLanes(mlir::OpBuilder &builder, mlir::Location loc,
                    llvm::MutableArrayRef<mlir::Value> rows);

/// Splits the first `count` elements of a vector into pieces of powers of two.
/// `store` receives a vector or one element, and its position.
void storePieces(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value vector, int64_t count,
                 llvm::function_ref<void(mlir::Value, int64_t)> store);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOCPU_TRANSPOSELANES_H
