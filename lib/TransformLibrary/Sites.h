//===- Sites.h - the ops of a module that become tasks ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A site is an op of the user's module that became the anchor of a task, with
// the surrounding ops that upstream can fuse to it. Tasks are in normal form
// and in separate functions; a script must find the ops in the original module.

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_SITES_H
#define PRUNER_LIB_TRANSFORMLIBRARY_SITES_H

#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

#include <memory>
#include <string>
#include <vector>

namespace pruner {

struct ScheduledTask {
  std::string name; ///< Name of the task's function, without "task_".
  TaskDesc desc;
  Schedule schedule;
};

/// An elementwise op of a chain that follows an anchor. Each is the only reader
/// of the previous one, point by point.
struct Link {
  mlir::linalg::GenericOp op;
  /// The number of the input that is the previous result.
  unsigned input = 0;
  /// Inputs that another op only broadcasts. That op is fused as well.
  llvm::SmallVector<unsigned, 2> spread;
};

struct Site {
  mlir::linalg::LinalgOp anchor;
  llvm::SmallVector<Link, 4> chain;
  /// Inputs of the anchor that a `linalg.transpose` computes only for it.
  llvm::SmallVector<unsigned, 2> transposed;
  const ScheduledTask *task = nullptr;

  /// The last op of the chain, or the anchor.
  mlir::linalg::LinalgOp root() const;
};

/// True if all elements that `op` accesses have whole bytes. Booleans do not: a
/// scalar takes a byte in memory and a vector lane a bit, so upstream's vectors
/// of booleans do not match memory that other code wrote.
bool hasWholeBytes(mlir::linalg::LinalgOp op);

struct Sites {
  std::vector<std::unique_ptr<ScheduledTask>> tasks;
  /// In the order of the module.
  std::vector<Site> sites;
};

/// The sites of the tasks of `module` that have a schedule in the file of the
/// option `schedules`, a module of tasks. Fails with diagnostics, `fail` with
/// those about the option; a remark names tasks that are not found.
mlir::FailureOr<Sites>
findSites(mlir::ModuleOp module, const std::string &schedules,
          llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> fail);

/// Remarks about sites: once for all equal ops of a task.
class SiteRemarks {
public:
  void emit(const Site &site, const llvm::Twine &text);

private:
  llvm::StringSet<> emitted;
};

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_SITES_H
