//===- Sites.h - where tasks come from in a module --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A site is an op of the user's module that became the anchor of a task, with
// the ops around it that upstream can fuse to it. Tasks stand in normal form
// and in functions of their own; a script must find the ops before all that.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_SITES_H
#define PRUNER_LIB_TRANSFORMLIBRARY_SITES_H

#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>
#include <vector>

namespace pruner {

struct ScheduledTask {
  std::string name; ///< Of its function, without "task_".
  TaskDesc desc;
  Schedule schedule;
};

/// An elementwise op of a chain behind an anchor, each the only reader of the
/// one before, point by point.
struct Link {
  mlir::linalg::GenericOp op;
  /// The input that is the result of the one before.
  unsigned input = 0;
  /// Inputs that an op only spreads over the points, which is fused, too.
  llvm::SmallVector<unsigned, 2> spread;
};

struct Site {
  mlir::linalg::LinalgOp anchor;
  llvm::SmallVector<Link, 4> chain;
  /// Inputs of the anchor that a `linalg.transpose` makes for it alone.
  llvm::SmallVector<unsigned, 2> transposed;
  const ScheduledTask *task = nullptr;

  /// The last op of the chain, or the anchor.
  mlir::linalg::LinalgOp root() const;
};

/// Whether all elements that `op` reads and writes are of whole bytes. Booleans
/// are not: alone they take a byte in memory, in vectors a bit, so upstream's
/// vectors of them are not what other code wrote.
bool hasWholeBytes(mlir::linalg::LinalgOp op);

struct Sites {
  std::vector<std::unique_ptr<ScheduledTask>> tasks;
  /// In the order of the module.
  std::vector<Site> sites;
};

/// The sites of those tasks of `module` that have a schedule in `scheduled`, a
/// module of tasks. Fails with diagnostics; a remark names what is not found.
mlir::FailureOr<Sites> findSites(mlir::ModuleOp module,
                                 mlir::ModuleOp scheduled);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_SITES_H
