//===- RemarkGroups.h - one remark for many of a kind -----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_REMARKGROUPS_H
#define PRUNER_LIB_TUNE_REMARKGROUPS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace pruner {

/// Collects remarks and emits one for all that say the same. A network has
/// hundreds of operations, of which many stay outside the tasks for one of a
/// few reasons. Remarks are of one kind if they differ in numbers and quoted
/// names only; the first stands for all, with the number of the others and the
/// places of the next few.
class RemarkGroups {
public:
  /// With `verbose` every remark is emitted as it is.
  explicit RemarkGroups(bool verbose) : verbose(verbose) {}

  void add(mlir::Location location, std::string text);
  /// Emits what was added since the last time, kinds in the order in which they
  /// came first.
  void emit();

private:
  struct Remark {
    mlir::Location location;
    std::string text;
  };
  struct Group {
    std::string kind;
    std::vector<Remark> remarks;
  };

  bool verbose;
  std::vector<Group> groups;
};

/// Collects the remarks of its scope instead of letting them through, and emits
/// them at its end.
class RemarkCollector {
public:
  RemarkCollector(mlir::MLIRContext *context, bool verbose);
  ~RemarkCollector();

private:
  RemarkGroups groups;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_REMARKGROUPS_H
