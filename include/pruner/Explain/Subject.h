//===- Subject.h - what is explained ----------------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_EXPLAIN_SUBJECT_H
#define PRUNER_EXPLAIN_SUBJECT_H

#include "pruner/Record/Database.h"
#include "pruner/Tune/TuneTask.h"

#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace pruner {

/// A task with the records that speak of it together: of one machine, one
/// number of threads, one code generator and one state of the caches. What was
/// measured under other conditions is only counted.
struct Subject {
  TuneTask task;
  /// That of the records; its machine has the rates that predictions need.
  Environment environment;
  std::vector<Record> records; ///< In the order in which they were stored.
  size_t elsewhere = 0;        ///< Records of other conditions.
  /// Whether the code generator and the toolchain are those of this build.
  bool current = false;
  /// The task's module, where it was not the user's.
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

struct SubjectOptions {
  /// Only records of this target, as `parseTarget` reads it; empty: of the
  /// machine of the latest records of this host's, else of the latest.
  std::string target;
  /// Only tasks whose name has a match of this regular expression, or whose
  /// key begins with it; empty: all.
  std::string task;
};

/// The tasks that have records: those of `module`, or if that is null all that
/// the database knows, in its order. Records that cannot be true are left out
/// with a warning, and so are tasks without records where there are others.
/// An error: a pattern that is none or fits no task, a module that is none,
/// no record of any task, records of a machine that is not known here.
llvm::Expected<std::vector<Subject>>
findSubjects(Database &database, mlir::MLIRContext &context,
             mlir::ModuleOp module, const SubjectOptions &options);

} // namespace pruner

#endif // PRUNER_EXPLAIN_SUBJECT_H
