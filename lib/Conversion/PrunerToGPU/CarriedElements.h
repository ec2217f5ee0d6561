//===- CarriedElements.h - elements that regions pass on --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOGPU_CARRIEDELEMENTS_H
#define PRUNER_LIB_CONVERSION_PRUNERTOGPU_CARRIEDELEMENTS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace pruner {

/// The elements of local buffers as values that a loop or a branch passes on.
/// Where a matrix instruction keeps several neighbors in one register, these
/// are one vector, in the form in which the instruction takes and returns them.
/// As single values they would be taken apart and put together again in every
/// iteration: LLVM does not join the values of a loop, and so neither does the
/// assembler.
class CarriedElements {
public:
  using Elements = llvm::SmallVector<mlir::Value>;
  using Locals = llvm::DenseMap<mlir::Value, Elements>;

  /// The elements of `buffers` are `locals[buffer]`, and none is null where
  /// they are passed on.
  CarriedElements(mlir::OpBuilder &builder, mlir::Location loc, Locals &locals,
                  llvm::ArrayRef<mlir::Value> buffers)
      : builder(builder), loc(loc), locals(locals), buffers(buffers) {}

  /// The current elements, buffer after buffer.
  Elements elements() const;
  /// The values to pass on.
  Elements pack() const;
  /// Replaces the elements by those in `values`, which `pack` has ordered.
  /// Returns the values after them.
  mlir::ValueRange unpack(mlir::ValueRange values);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  Locals &locals;
  llvm::SmallVector<mlir::Value> buffers;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOGPU_CARRIEDELEMENTS_H
