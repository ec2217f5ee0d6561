//===- Bodies.h - what the ops of tasks compute -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The name, the shape and the maps of a linalg op do not determine what it
// computes; its body does. There is one sequence for each distinct body. It
// compares the ops of a body from the yield upwards: name, attributes
// (constants and predicates among them), types, and where each operand comes
// from.
//
// The transform dialect of LLVM 22 cannot express one thing: which block
// argument an operand is. There are handles for what ops define and read, and
// comparisons of handles, but none for the arguments of a block. Operands that
// are arguments are therefore compared only with each other: a - b and b - a
// have the same sequence, a - b and a - a have different ones.

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
