//===- NetworkConstants.h - weights that are part of a library --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with its weights inside should not pack them in every call. Packing
// is hoisted from arguments marked `pruner.constant` only. The weights of a
// network are therefore arguments while it is tuned:
//
//   NetworkConstants constants;
//   constants.lift(network);          // Constants become arguments.
//   ...                               // Tune, lower, pruner-hoist-constants.
//   constants.embed(network, options) // Arguments become constants again.
//
// The tuner, which prints and clones modules, then never sees the values.

#ifndef PRUNER_LIBRARY_NETWORKCONSTANTS_H
#define PRUNER_LIBRARY_NETWORKCONSTANTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>

namespace pruner {

/// Whether an argument of `network` is dynamic within a range (`pruner.range`).
bool hasRanges(mlir::func::FuncOp network);

class NetworkConstants {
public:
  /// Turns the constants of `network`, a function with one block, into
  /// arguments after the others, marked `pruner.constant` and named
  /// `constant0`, ... Constants of one repeated element, of at most 64
  /// integers, and of types without whole bytes stay. Equal constants become
  /// one argument.
  void lift(mlir::func::FuncOp network);

  /// Reads the values of the arguments marked `pruner.constant` by their names
  /// from a safetensors file. Fails if a tensor is missing or differs in shape
  /// or type. Other tensors of the file are ignored.
  llvm::Error read(const std::string &file, mlir::func::FuncOp network);

  /// The type of the argument marked `pruner.constant` of that name. Fails if
  /// there is no such argument or it is not a tensor of static shape.
  static llvm::Expected<mlir::RankedTensorType>
  typeOf(mlir::func::FuncOp network, llvm::StringRef name);

  /// Sets the value of the argument marked `pruner.constant` of that name.
  /// `data` has its elements in row-major order and is copied. Fails if there
  /// is no such argument or the number of bytes differs.
  llvm::Error set(mlir::func::FuncOp network, llvm::StringRef name,
                  llvm::ArrayRef<char> data);

  /// Replaces the arguments whose values are known by constants.
  void restore(mlir::func::FuncOp network);

  /// For a module after `pruner-hoist-constants`: computes the results of the
  /// function @<network>_prepare, if there is one, and replaces the arguments
  /// of `network` whose values are then known by constants. The function is
  /// compiled with the program `linker` for this machine and runs in this
  /// process. It stays in the module only if an argument of it has no known
  /// value.
  llvm::Error embed(mlir::func::FuncOp network, const std::string &linker);

  size_t count() const { return values.size(); }
  uint64_t bytes() const;

private:
  llvm::Error prepare(mlir::func::FuncOp function, const std::string &linker);

  /// By the argument's `pruner.name`.
  llvm::StringMap<mlir::ElementsAttr> values;
};

} // namespace pruner

#endif // PRUNER_LIBRARY_NETWORKCONSTANTS_H
