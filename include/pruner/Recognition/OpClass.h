//===- OpClass.h - what an op is to a task ----------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECOGNITION_OPCLASS_H
#define PRUNER_RECOGNITION_OPCLASS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <optional>
#include <string>

namespace pruner {

/// The first reason why something is no task, or no part of one.
struct Obstacle {
  mlir::Operation *op = nullptr; ///< What does not fit.
  std::string category;          ///< For tables, as short as "gather".
  std::string reason;            ///< For messages at `op`.
};

/// Why a task cannot have a tensor of this type, which `where` reads.
std::optional<Obstacle> findObstacle(mlir::Type type, mlir::Operation *where);

/// Why `op` cannot be part of a task, whatever stands around it. What a person
/// writes into the function of a task is held to this alone.
std::optional<Obstacle> findObstacle(mlir::linalg::LinalgOp op);

/// Why `pad` cannot be part of the task that reads it. It can if it is static,
/// not negative, and the same constant everywhere.
std::optional<Obstacle> findObstacle(mlir::tensor::PadOp pad);

/// What a linalg op is to task extraction.
struct OpClass {
  enum Kind {
    NotComputation, ///< Neither arithmetic nor a copy of a tensor.
    Anchor,         ///< Has a reduction; a task of its own.
    Elementwise,    ///< Prologue, epilogue or a task of its own.
    Outside         ///< Work that cannot be part of a task.
  };
  Kind kind = NotComputation;
  Obstacle why; ///< Outside: what stands in the way.

  static OpClass outside(Obstacle why) { return {Outside, std::move(why)}; }
};

/// Looks at one op, not at its neighbours. Extraction chooses more narrowly
/// than `findObstacle`: only what gives the same result in any order of its
/// loops, but for the rounding of sums in at least f32, and what every target
/// compiles well.
OpClass classify(mlir::linalg::LinalgOp op);

bool isAnchor(mlir::Operation *op);
bool isElementwisePart(mlir::Operation *op);

} // namespace pruner

#endif // PRUNER_RECOGNITION_OPCLASS_H
