//===- Environment.h - where and how code is measured -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MODULETASKS_ENVIRONMENT_H
#define PRUNER_MODULETASKS_ENVIRONMENT_H

#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/Machine.h"
#include "pruner/Record/Database.h"

namespace pruner {

struct ModuleTask;

/// The part of a record's identity that does not depend on the task.
/// Measurements in the same environment are comparable.
struct Environment {
  CodeTarget target;
  Machine machine;
  unsigned threads = 1;
  /// Name of the other compiler that a builder command uses, such as
  /// "iree-3.13.0"; empty for this code generator. Records of different
  /// compilers are separate.
  std::string builder;

  std::string machineKey() const { return machine.key(); }
  std::string pipelineOptions() const;
  static std::string toolchain();
  static llvm::StringRef prunerVersion();

  /// `threads` 0 means the number of cores. Errors name the option.
  static llvm::Expected<Environment> create(llvm::StringRef target,
                                            unsigned threads);
  /// Query for records of `task` in this environment by this code generator.
  RecordQuery query(const ModuleTask &task) const;
};

} // namespace pruner

#endif // PRUNER_MODULETASKS_ENVIRONMENT_H
