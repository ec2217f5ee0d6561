//===- Steps.h - helpers that emit transform ops ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the ops of the transform dialect that libraries use. All handles are of
// any op, and all parameters are i64.

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_STEPS_H
#define PRUNER_LIB_TRANSFORMLIBRARY_STEPS_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Builders.h"

namespace pruner {

class Steps {
public:
  Steps(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::OpBuilder &builder;
  const mlir::Location loc;

  mlir::Type anyOp() const;
  mlir::Type param() const;
  mlir::ArrayAttr names(llvm::ArrayRef<llvm::StringRef> names) const;

  //===--- handles -------------------------------------------------------===//
  mlir::Value makerOf(mlir::Value op, unsigned operand);
  mlir::Value readerOf(mlir::Value op);
  /// Ops with an attribute `name` = `value` in `root`.
  mlir::Value marked(mlir::Value root, llvm::StringRef name,
                     llvm::StringRef value);
  mlir::Value genericsIn(mlir::Value root);
  mlir::Value functionOf(mlir::Value op);
  /// Loops in `root` (or `root` itself), inner ones before outer ones.
  mlir::Value loopsIn(mlir::Value root);

  //===--- numbers -------------------------------------------------------===//
  mlir::Value constant(int64_t value);
  /// Several numbers in one parameter.
  mlir::Value constants(llvm::ArrayRef<int64_t> values);
  mlir::Value text(llvm::StringRef value);
  mlir::Value knob(llvm::StringRef name, int64_t selected,
                   llvm::ArrayRef<int64_t> options);

  //===--- transformations -----------------------------------------------===//
  using Sizes = llvm::ArrayRef<mlir::OpFoldResult>;
  struct Tiled {
    mlir::Value op;
    llvm::SmallVector<mlir::Value> loops; ///< Outermost first.
  };
  mlir::Value generalize(mlir::Value op);
  Tiled tileToForall(mlir::Value op, Sizes sizes);
  /// `order`: the loops as dimensions of the op, outermost first, or empty.
  Tiled tileToLoops(mlir::Value op, Sizes sizes,
                    llvm::ArrayRef<int64_t> order = {});
  /// Returns the fused op. `loop` becomes the loop that contains it.
  mlir::Value fuse(mlir::Value producer, mlir::Value &loop);
  /// The iterations of a loop before `point`, and the others.
  std::pair<mlir::Value, mlir::Value> split(mlir::Value op, unsigned loop,
                                            int64_t point);
  mlir::Value interchange(mlir::Value op, llvm::ArrayRef<int64_t> order);
  void vectorize(mlir::Value op);
  void unroll(mlir::Value loop, int64_t factor);
  void hoist(mlir::Value loops);

  void eraseDead(mlir::Value function);

  //===--- patterns ------------------------------------------------------===//
  /// Merges slices of slices.
  void mergeSlices(mlir::Value target);
  void foldUnitDims(mlir::Value target);
  void canonicalize(mlir::Value target);
  /// Turns sums of products into `vector.contract`.
  void formContractions(mlir::Value target);
  /// Makes vectors access tensors instead of slices of them.
  void foldSlicesIntoVectors(mlir::Value target);
};

/// Creates a named sequence whose body `fill` emits.
mlir::transform::NamedSequenceOp makeSequence(
    Steps &steps, llvm::StringRef name, unsigned inputs, unsigned results,
    bool consumes,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)> fill);

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_STEPS_H
