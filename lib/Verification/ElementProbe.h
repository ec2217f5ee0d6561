//===- ElementProbe.h - evaluate single elements of a task ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_VERIFICATION_ELEMENTPROBE_H
#define PRUNER_LIB_VERIFICATION_ELEMENTPROBE_H

#include "ScalarSteps.h"
#include "pruner/Builder/TaskProgram.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace pruner {

/// Evaluates single elements of a task on demand, in the task's own types, from
/// the arguments in `inputs`. This serves to choose inputs, not to judge
/// results: sums are added in one order.
///
/// One element may be *free*: it has the value that the caller gives it,
/// wherever it comes from. Evaluation fails for unsupported ops (tensors that
/// are concatenated or read at computed positions), and when it exceeds a
/// budget of scalar ops.
class ElementProbe {
public:
  using Buffers = std::vector<std::vector<uint8_t>>;
  using Index = llvm::SmallVector<int64_t, 6>;
  struct Place {
    mlir::Value tensor;
    Index index;
  };

  ElementProbe(const TaskProgram &task, const Buffers &inputs, int64_t budget)
      : task(task), inputs(inputs), budget(budget) {}

  /// The values that one iteration of `op` yields, with zero as the previous
  /// values of its results. std::nullopt if evaluation fails.
  std::optional<llvm::SmallVector<Scalar, 2>>
  iterate(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> point);
  std::optional<Scalar> element(mlir::Value tensor, const Index &index);

  /// The arguments and results of reductions that the last call of `iterate`
  /// read, if `record` is set. The latter are then not computed, but 0.
  bool record = false;
  std::vector<Place> read;

  void setFree(Place place) { free = std::move(place); }
  void clearFree() { free = {}; }
  Scalar freeValue;

  /// Drops cached results of reductions after arguments have changed.
  void forget() { reduced.clear(); }
  int64_t left() const { return budget; }

  /// The row-major position of an element of a tensor.
  static int64_t linear(mlir::Value tensor, llvm::ArrayRef<int64_t> index);

private:
  bool body(mlir::linalg::LinalgOp op, llvm::ArrayRef<int64_t> point,
            llvm::ArrayRef<Scalar> former,
            llvm::SmallVectorImpl<Scalar> &yields);
  std::optional<Scalar> computed(mlir::OpResult value, const Index &index);
  std::optional<Scalar> ofLinalg(mlir::linalg::LinalgOp op, unsigned result,
                                 const Index &index);
  std::optional<Scalar> scalar(mlir::Value value);

  const TaskProgram &task;
  const Buffers &inputs;
  int64_t budget;
  Place free;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, Scalar> reduced;
};

/// The point in the loops of `op` to which its result `index` belongs, with 0
/// for loops that the result does not have; std::nullopt if the map is not a
/// projected permutation.
std::optional<ElementProbe::Index> pointOf(mlir::linalg::LinalgOp op,
                                           unsigned result,
                                           llvm::ArrayRef<int64_t> index);

/// Advances to the next combination of `loops` in row-major order. Returns
/// false after the last one, with all of them at 0 again.
bool advance(llvm::MutableArrayRef<int64_t> point,
             llvm::ArrayRef<unsigned> loops, llvm::ArrayRef<int64_t> extents);

/// The loops of `op` that reduce.
llvm::SmallVector<unsigned> reductionLoops(mlir::linalg::LinalgOp op);

} // namespace pruner

#endif // PRUNER_LIB_VERIFICATION_ELEMENTPROBE_H
