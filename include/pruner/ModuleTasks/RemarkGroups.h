//===- RemarkGroups.h - group remarks of the same kind ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_MODULETASKS_REMARKGROUPS_H
#define PRUNER_MODULETASKS_REMARKGROUPS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace pruner {

/// Collects remarks and emits one for each kind. A network has hundreds of
/// operations, and many of them stay outside the tasks for one of a few
/// reasons. Two remarks are of the same kind if they differ only in numbers and
/// quoted names. The first remark of a kind is emitted, with the number of the
/// others and the locations of the next few.
class RemarkGroups {
public:
  /// With `verbose` every remark is emitted.
  explicit RemarkGroups(bool verbose) : verbose(verbose) {}

  void add(mlir::Location location, std::string text);
  /// Emits the remarks added since the last call. Kinds are in order of their
  /// first remark.
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

/// Intercepts all remarks in its scope and emits them, grouped, at the end.
class RemarkCollector {
public:
  RemarkCollector(mlir::MLIRContext *context, bool verbose);
  ~RemarkCollector();

private:
  RemarkGroups groups;
  std::optional<mlir::ScopedDiagnosticHandler> handler;
};

} // namespace pruner

#endif // PRUNER_MODULETASKS_REMARKGROUPS_H
