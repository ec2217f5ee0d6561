//===- Collect.h - collect the mutations of operations ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_MUTATION_COLLECT_H
#define PRUNER_FUZZING_MUTATION_COLLECT_H

#include "Fuzzing/Mutation/Mutation.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace pruner {

/// Receives the mutations of one operation after the other. Only `rewrite`
/// changes the IR.
class MutationCollector {
public:
  explicit MutationCollector(std::vector<MutationList::Mutation> &list)
      : list(list) {}

  void add(MutationKind kind, std::string what, std::function<void()> rewrite) {
    list.push_back({kind, std::move(what), std::move(rewrite)});
  }

private:
  std::vector<MutationList::Mutation> &list;
};

void collectLoops(mlir::Operation *op, MutationCollector &collector);
void collectGuards(mlir::Operation *op, MutationCollector &collector);
void collectAccesses(mlir::Operation *op, MutationCollector &collector);
void collectLanes(mlir::Operation *op, MutationCollector &collector);
void collectArithmetic(mlir::Operation *op, MutationCollector &collector);
void collectConstants(mlir::Operation *op, MutationCollector &collector);
/// Mutations of numbers: requantization, halves of integers, NaN, masks, signs,
/// omitted roundings, extrema.
void collectNumbers(mlir::Operation *op, MutationCollector &collector);
void collectStatements(mlir::Operation *op, MutationCollector &collector);
/// Mutations of `ldmatrix`, asynchronous copies and products of tensor cores.
void collectFragments(mlir::Operation *op, MutationCollector &collector);
void collectLaunches(mlir::Operation *op, MutationCollector &collector);

/// An index that is larger by `by`, defined at the insertion point of the
/// builder.
mlir::Value shifted(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value index, int64_t by);

/// `value` times 1 + 2^-10, in its own type (a float or a vector of floats; in
/// bf16 the factor rounds to 1).
mlir::Value scaled(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value value);

/// Whether elements of `type` are floats, or integers other than indices.
bool isFloatLike(mlir::Type type);
bool isIntegerLike(mlir::Type type);

} // namespace pruner

#endif // PRUNER_FUZZING_MUTATION_COLLECT_H
