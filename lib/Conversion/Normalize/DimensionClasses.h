//===- DimensionClasses.h - dimensions of the same meaning ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_NORMALIZE_DIMENSIONCLASSES_H
#define PRUNER_LIB_CONVERSION_NORMALIZE_DIMENSIONCLASSES_H

#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/IntEqClasses.h"

namespace pruner {

/// Classes of dimensions of tensors that are not constant. Two dimensions are
/// in one class if an operation moves along both in parallel: the channels of
/// an image, for example, from the result of a convolution through its bias,
/// activation, padding and pooling, to the next convolution, which adds them
/// up.
class DimensionClasses {
public:
  /// Classes of all tensors that `root` contains.
  explicit DimensionClasses(mlir::Operation *root);

  /// Whether `value` is a tensor that is not constant.
  bool contains(mlir::Value value) const { return first.contains(value); }
  /// The number of the class of dimension `dim` of `value`, which it contains.
  unsigned classOf(mlir::Value value, unsigned dim) const;

private:
  void add(mlir::Operation *op);
  void join(mlir::Value a, unsigned dimOfA, mlir::Value b, unsigned dimOfB);
  void joinGroups(mlir::Value large, mlir::Value small,
                  llvm::ArrayRef<mlir::ReassociationIndices> groups);

  /// The number of the first dimension of each tensor.
  llvm::DenseMap<mlir::Value, unsigned> first;
  llvm::IntEqClasses classes;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_NORMALIZE_DIMENSIONCLASSES_H
