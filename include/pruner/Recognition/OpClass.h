//===- OpClass.h - classify ops for task extraction -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECOGNITION_OPCLASS_H
#define PRUNER_RECOGNITION_OPCLASS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <optional>
#include <string>

namespace pruner {

/// The first reason why an op is not a task or not part of one.
struct Obstacle {
  mlir::Operation *op = nullptr; ///< The op at fault.
  std::string category;          ///< A short name for tables, such as "gather".
  std::string reason;            ///< The text of the message at `op`.
};

/// Why a tensor of this type, which `where` reads, cannot be in a task.
std::optional<Obstacle> findObstacle(mlir::Type type, mlir::Operation *where);

/// Why `op` cannot be part of a task, independent of the ops around it. A task
/// function written by hand must only pass this check.
std::optional<Obstacle> findObstacle(mlir::linalg::LinalgOp op);

/// Why `pad` cannot be part of the task that reads it. A pad can if its amounts
/// are static and not negative and its value is one constant.
std::optional<Obstacle> findObstacle(mlir::tensor::PadOp pad);

/// The role of a linalg op in task extraction.
struct OpClass {
  enum Kind {
    NotComputation, ///< Neither arithmetic nor a copy of a tensor.
    Anchor,         ///< Has a reduction; a task of its own.
    Elementwise,    ///< Prologue, epilogue or a task of its own.
    Outside         ///< Work that cannot be part of a task.
  };
  Kind kind = NotComputation;
  Obstacle why; ///< For `Outside`: the reason.

  static OpClass outside(Obstacle why) { return {Outside, std::move(why)}; }
};

/// Classifies a single op without its neighbors. Extraction is stricter than
/// `findObstacle`: it only takes ops that give the same result in any order of
/// their loops, except for the rounding of sums in at least f32, and that every
/// target compiles well.
OpClass classify(mlir::linalg::LinalgOp op);

bool isAnchor(mlir::Operation *op);
bool isElementwisePart(mlir::Operation *op);

} // namespace pruner

#endif // PRUNER_RECOGNITION_OPCLASS_H
