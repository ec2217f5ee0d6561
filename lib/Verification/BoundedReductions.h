//===- BoundedReductions.h - shared by sums and products --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_BOUNDEDREDUCTIONS_H
#define PRUNER_LIB_VERIFICATION_BOUNDEDREDUCTIONS_H

#include "BoundedGeneric.h"

namespace pruner {

/// An f64 tensor with the shape of `like`, without contents or filled.
mlir::Value emptyLike(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value like);
mlir::Value filledLike(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value like, double value);

/// An op that computes each element of `outs` from the elements of `inputs` at
/// the same place.
mlir::linalg::GenericOp
elementwise(mlir::OpBuilder &builder, mlir::Location loc,
            mlir::ValueRange inputs, mlir::ValueRange outs,
            llvm::function_ref<void(mlir::OpBuilder &, mlir::Location,
                                    mlir::ValueRange)>
                body);

/// The zero that `tensor` is filled with, so that sums start with their first
/// term; or nothing.
std::optional<double> zeroOf(mlir::Value tensor);

/// What `term` adds to the sums of the terms that are not negative and of the
/// magnitudes of the others. Zeros keep their sign, and NaN is in the first.
std::array<mlir::Value, 2> bySign(WideArithmetic &wide, mlir::Value term);

/// Infinities and NaN among the terms of a sum; 0 for others.
mlir::Value specialTerm(WideArithmetic &wide, mlir::Value term,
                        mlir::Value isFinite);

mlir::Value isFinite(WideArithmetic &wide, mlir::Value value);

/// The largest power of two of which `value` is a multiple; infinity for 0, NaN
/// for values that are not finite.
mlir::Value unitOf(WideArithmetic &wide, mlir::Value value);

/// 1, or 0 for a zero. Adding these is exact.
mlir::Value countOf(WideArithmetic &wide, mlir::Value magnitude);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_BOUNDEDREDUCTIONS_H
