//===- InstructionProfit.h - when narrow products are faster ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_INSTRUCTIONPROFIT_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_INSTRUCTIONPROFIT_H

#include "ContiguousChannels.h"

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Task.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>

namespace pruner {

/// Whether `op`, a sum of products in f32, is faster on each of `machines` if
/// its factors are of type `type`. True if a matrix instruction of the machine
/// computes it, and by the costs that the machine states, instructions and
/// conversions take at most two thirds of the time of multiply-adds in f32.
/// False for products of fewer than 65536 points, whose calls dominate. Without
/// machines, true for every product that can be a task.
bool profitsFromProducts(mlir::linalg::LinalgOp op, ElementType type,
                         llvm::ArrayRef<Machine> machines);

/// Whether `op`, a sum of products in f32, is faster on each of `machines`,
/// which must be GPUs, if its factors are rounded to tf32: tensor cores compute
/// it, at 1.5 times the rate of multiply-adds in f32 or more. Smaller products
/// and an empty list are as above.
bool profitsFromTensorFloats(mlir::linalg::LinalgOp op,
                             llvm::ArrayRef<Machine> machines);

/// Whether tensor cores of each of `machines`, which must be GPUs, compute
/// `op`, a sum of at most kMostHalfSumTerms products of f16, with accumulators
/// of f16. If they are f32 in `op`, this must also be at least 1.5 times as
/// fast. Smaller products and an empty list are as above.
bool profitsFromHalfSums(mlir::linalg::LinalgOp op,
                         llvm::ArrayRef<Machine> machines);

/// Longer sums in f16 have no useful bound: a quarter of 2^11.
inline constexpr int64_t kMostHalfSumTerms = 512;

/// The factor of `op` that is not constant, as the one that all lanes of an
/// instruction share, and the loop whose terms the instruction adds up: with
/// the cheapest instruction of each of `machines` for the types of the factors.
/// None if both or no factors are constant, if a machine has no such
/// instruction, or if not all machines agree.
std::optional<InputLoop> sharedFactor(mlir::linalg::LinalgOp op,
                                      llvm::ArrayRef<Machine> machines);

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_INSTRUCTIONPROFIT_H
