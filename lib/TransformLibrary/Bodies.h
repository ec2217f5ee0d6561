//===- Bodies.h - what the ops of tasks compute -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Name, shape and maps of a linalg op say little about its work: the body
// decides. A sequence for each distinct body goes through a body from its yield
// upwards and compares every op in it: name, attributes (constants and
// predicates among them), types, and where each operand comes from.
//
// One thing cannot be told in the transform dialect of LLVM 22: which of the
// block arguments an operand is. There are handles for what ops define and
// read, and comparisons of handles, but none for the arguments of a block. So
// operands that are arguments are compared with each other only: a - b and
// b - a are one body, a - b and a - a are two.

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_BODIES_H
#define PRUNER_LIB_TRANSFORMLIBRARY_BODIES_H

#include "Steps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace pruner {

class Bodies {
public:
  explicit Bodies(Steps &steps) : steps(steps) {}

  /// Why the body of `op` cannot be compared, or success.
  static llvm::Error check(mlir::linalg::LinalgOp op);

  /// Writes that `op` must have the body of `like`, which passed the check.
  void match(mlir::Value op, mlir::linalg::LinalgOp like);

private:
  mlir::transform::NamedSequenceOp write(mlir::linalg::LinalgOp like);
  void writeMakerOf();

  Steps &steps;
  struct Entry {
    std::string name, conditions;
  };
  std::vector<Entry> entries;
  bool hasMakerOf = false;
};

/// The text of a sequence without its name.
std::string conditionsOf(mlir::transform::NamedSequenceOp sequence);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_BODIES_H
