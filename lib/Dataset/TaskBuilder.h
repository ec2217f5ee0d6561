//===- TaskBuilder.h - tasks of imported records ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DATASET_TASKBUILDER_H
#define PRUNER_LIB_DATASET_TASKBUILDER_H

#include "pruner/Dataset/Dataset.h"
#include "pruner/Program/Task.h"
#include "pruner/Sketch/Schedule.h"

#include "mlir/IR/MLIRContext.h"

#include <optional>

namespace pruner {

/// One operation on f32, as the parameters of another program describe it.
struct OperationShape {
  enum class Body {
    Product, ///< out += input 0 * input 1
    Sum,     ///< out += input 0
    Relu,    ///< out = max(input 0, 0)
  };
  struct Input {
    llvm::SmallVector<int64_t, 4> shape; ///< Before padding.
    AccessMap map;                       ///< Indexes the padded tensor.
  };
  Body body = Body::Product;
  /// Parallel dimensions come first, in the order of the result's dimensions.
  llvm::SmallVector<IterDim, 7> dims;
  llvm::SmallVector<Input, 2> inputs;
  /// Zeros before and after each coordinate of input 0. Empty means no padding.
  llvm::SmallVector<int64_t, 4> low, high;
  /// Fused operations: addition of a tensor of the result's shape, then a
  /// maximum with zero.
  bool adds = false, rectifies = false;

  /// The coordinate `coefficient` * d0 + d1 + ... of a map.
  LinearExpr coordinate(
      llvm::ArrayRef<std::pair<unsigned, int64_t>> dimsAndCoefficients) const;
  /// Removes dimensions with one iteration and coordinates that become
  /// constant. Returns which dimensions are kept.
  llvm::SmallVector<bool, 8> dropUnitDims();
  /// Text that is equal for equal shapes and different for different ones.
  std::string key() const;
};

/// Sizes of a 2-D convolution of NCHW images with OIHW filters.
struct ConvolutionSizes {
  int64_t images = 1, channels = 1, height = 1, width = 1, filters = 1;
  int64_t filterHeight = 1, filterWidth = 1;
  int64_t strideHeight = 1, strideWidth = 1;
  int64_t dilationHeight = 1, dilationWidth = 1;
  int64_t top = 0, bottom = 0, left = 0, right = 0; ///< Zeros around an image.
  /// Each channel has its own filter; filters are CHW.
  bool depthwise = false;

  int64_t outputHeight() const;
  int64_t outputWidth() const;
};

/// The dimensions are images, filters, rows, columns, channels (unless
/// depthwise), rows and columns of the filter. Extents are 0 if the window is
/// larger than the padded image.
OperationShape convolutionShape(const ConvolutionSizes &sizes);

/// Sizes of C = A * B, with C[rows, columns], A[rows, depth] and B[depth,
/// columns], row-major.
struct ProductSizes {
  std::optional<int64_t> batch = {}; ///< A leading dimension of all three.
  int64_t rows = 1, columns = 1, depth = 1;
  /// Stored as [depth, rows] and [columns, depth].
  bool transposedA = false, transposedB = false;
};

/// The dimensions are the batch, if there is one, rows, columns and depth.
OperationShape productShape(const ProductSizes &sizes);

/// A maximum with zero over a tensor of one dimension.
OperationShape reluShape(int64_t elements);

/// Sums of the rows of a matrix.
OperationShape rowSumShape(int64_t rows, int64_t length);

/// Removes dimensions with one iteration from an operation and their tiles from
/// its schedule.
void dropUnitDims(OperationShape &shape, Schedule &schedule);

struct BuiltTask {
  DatasetTask task;
  TaskDesc desc;
};

/// Builds a function of that operation in a module of its own, with
/// `pruner.task` and a name, as task extraction does. Fails if it is not a
/// task, for example because its sizes are too large.
llvm::Expected<BuiltTask> buildTask(const OperationShape &shape,
                                    mlir::MLIRContext *context);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_TASKBUILDER_H
