//===- Subject.h - tasks to explain, with their records ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_EXPLAIN_SUBJECT_H
#define PRUNER_EXPLAIN_SUBJECT_H

#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Record/Database.h"

#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace pruner {

/// A task with comparable records: of one machine, number of threads, code
/// generator and cache state. Records of other conditions are only counted.
struct Subject {
  ModuleTask task;
  /// The environment of the records. Its machine has the rates for predictions.
  Environment environment;
  std::vector<Record> records; ///< In the order in which they were stored.
  size_t otherConditions = 0;  ///< Records of other conditions.
  /// Whether code generator and toolchain are those of this build.
  bool current = false;
  /// The module of the task, if it is not in the user's module.
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

struct SubjectOptions {
  /// Only records of this target (see `parseTarget`). Empty: the machine of the
  /// latest records of this host, else of the latest records.
  std::string target;
  /// Only tasks whose name matches this regular expression or whose key begins
  /// with this text; empty: all.
  std::string task;
};

/// Returns the tasks that have records: those of `module` or, if it is null,
/// all tasks of the database in its order. Records that cannot be true, and
/// tasks without records, are left out with a warning. Fails if the pattern is
/// invalid or matches no task, if the module is invalid, if no task has
/// records, or if the machine of the records is unknown.
llvm::Expected<std::vector<Subject>>
findSubjects(Database &database, mlir::MLIRContext &context,
             mlir::ModuleOp module, const SubjectOptions &options);

} // namespace pruner

#endif // PRUNER_EXPLAIN_SUBJECT_H
