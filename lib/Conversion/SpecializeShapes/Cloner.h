//===- Cloner.h - clone a function with static shapes -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_SPECIALIZESHAPES_CLONER_H
#define PRUNER_LIB_CONVERSION_SPECIALIZESHAPES_CLONER_H

#include "PaddedDim.h"

#include "pruner/Conversion/SpecializeShapes/Specialize.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace pruner {

/// Clones the ops of one function in order. Evaluates shapes for every size of
/// call; the largest size determines the static shape. Tracks, for each
/// dimension, the positions of the elements of a smaller call.
class Cloner {
public:
  Cloner(mlir::func::FuncOp function, RangeAttr range,
         llvm::ArrayRef<int64_t> calls)
      : original(function), range(range), calls(calls),
        larger(largerCalls(range, calls.back())),
        builder(function.getContext()) {}

  mlir::FailureOr<StaticFunction> run(llvm::StringRef name);

private:
  using Dims = llvm::SmallVector<PaddedDim>;

  /// Calls that may run in pieces.
  static SizeTable largerCalls(RangeAttr range, int64_t size);
  int64_t size() const { return calls.back(); }
  mlir::InFlightDiagnostic fail(mlir::Operation *op);

  // Numbers (Cloner.cpp).
  /// The value of an integer in each call; null if unknown.
  const SizeTable *tableOf(mlir::Value number);
  std::optional<SizeTable> evaluate(mlir::Value number);
  /// The same in calls of the sizes `larger`.
  std::optional<SizeTable> evaluateLarger(mlir::Value number);
  void checkLarger(mlir::Value number, const SizeTable &table);
  std::optional<SizeTable> evaluate(mlir::OpFoldResult number);
  /// The value of an integer of the original in the current call.
  mlir::Value numberInCall(mlir::Value number);
  mlir::OpFoldResult numberInCall(mlir::OpFoldResult number);
  /// Whether an extent is negative in some call; then reports it.
  bool isNegative(mlir::Operation *op, const SizeTable &extents);
  /// A number with the given table. Null (without a diagnostic) if it is not a
  /// multiple of the size.
  mlir::Value numberInCall(const SizeTable &table, mlir::Location loc);
  mlir::Value sizeOfCall();

  // Clones an op and records the dimensions of its results.
  mlir::LogicalResult clone(mlir::Operation &op);
  mlir::LogicalResult cloneOther(mlir::Operation &op);
  mlir::LogicalResult cloneReturn(mlir::func::ReturnOp op);
  // CloneTensors.cpp.
  mlir::LogicalResult cloneTensor(mlir::Operation &op);
  mlir::LogicalResult cloneEmpty(mlir::tensor::EmptyOp op);
  mlir::LogicalResult cloneCast(mlir::tensor::CastOp op);
  mlir::LogicalResult cloneCollapse(mlir::tensor::CollapseShapeOp op);
  mlir::LogicalResult cloneExpand(mlir::tensor::ExpandShapeOp op);
  mlir::LogicalResult cloneReshape(mlir::tensor::ReshapeOp op);
  mlir::LogicalResult cloneExtractSlice(mlir::tensor::ExtractSliceOp op);
  mlir::LogicalResult cloneInsertSlice(mlir::tensor::InsertSliceOp op);
  mlir::LogicalResult clonePad(mlir::tensor::PadOp op);
  mlir::LogicalResult cloneConcat(mlir::tensor::ConcatOp op);
  mlir::LogicalResult cloneInsert(mlir::tensor::InsertOp op);
  // CloneRegions.cpp.
  class RegionScope;
  using Regions = llvm::ArrayRef<std::unique_ptr<mlir::Region>>;
  static bool isControlFlow(mlir::Operation &op);
  mlir::LogicalResult cloneControlFlow(mlir::Operation &op);
  /// These return the dimensions of the results; numbers have none.
  mlir::FailureOr<llvm::SmallVector<Dims>> cloneBranches(mlir::Operation &op,
                                                         Regions made);
  mlir::FailureOr<llvm::SmallVector<Dims>>
  cloneLoop(mlir::Operation &op, mlir::ValueRange operands, Regions made);
  /// Clones the only block of `from`, whose arguments have these dimensions.
  mlir::LogicalResult cloneBlock(mlir::Region &from, mlir::Region &to,
                                 llvm::ArrayRef<Dims> arguments,
                                 llvm::SmallVector<mlir::Value> &yielded);
  /// Appends the operands of `op` in the clone.
  mlir::LogicalResult mapOperands(mlir::Operation &op,
                                  llvm::SmallVector<mlir::Value> &values);
  llvm::SmallVector<Dims> dimsOfAll(mlir::ValueRange cloned);
  /// Changes `known` to dimensions that also describe a tensor of dimensions
  /// `other`.
  mlir::LogicalResult join(mlir::Operation &op, Dims &known, const Dims &other);
  // MaskPadding.cpp.
  mlir::LogicalResult cloneLinalg(mlir::linalg::LinalgOp op);
  mlir::LogicalResult findLoops(mlir::linalg::LinalgOp op, Dims &loops);
  /// Fails if regions of `op` read elements of tensors at places that differ
  /// from those of the call.
  mlir::LogicalResult checkReads(mlir::Operation *op);
  mlir::LogicalResult maskReduction(mlir::linalg::LinalgOp &op,
                                    llvm::ArrayRef<PaddedDim> loops);
  bool maskOperands(mlir::linalg::LinalgOp op, llvm::ArrayRef<PaddedDim> loops);
  mlir::Value masked(mlir::Value tensor, mlir::AffineMap map,
                     llvm::ArrayRef<PaddedDim> loops,
                     mlir::ArrayRef<unsigned> reduced, mlir::TypedAttr neutral);
  mlir::Value maskOf(const PaddedDim &dim, mlir::Location loc);
  mlir::Value isElement(mlir::OpBuilder &inside, mlir::Location loc,
                        llvm::ArrayRef<PaddedDim> loops,
                        llvm::ArrayRef<unsigned> which);
  mlir::LogicalResult generalize(mlir::linalg::LinalgOp &op);
  mlir::LogicalResult guardBody(mlir::linalg::LinalgOp &op,
                                llvm::ArrayRef<PaddedDim> loops);

  /// Maps `from` to `to`, a tensor of these dimensions.
  void define(mlir::Value from, mlir::Value to, Dims dims);
  const Dims &dimsOf(mlir::Value from) { return dims[map.lookup(from)]; }
  llvm::SmallVector<int64_t> shapeOf(llvm::ArrayRef<PaddedDim> dims);
  mlir::RankedTensorType typeOf(mlir::Type like,
                                llvm::ArrayRef<PaddedDim> dims);
  /// Maps the scalars that `op` and its regions read.
  mlir::LogicalResult mapNumbers(mlir::Operation *op);

  mlir::func::FuncOp original, copy;
  RangeAttr range;
  llvm::ArrayRef<int64_t> calls;
  const SizeTable larger;
  mlir::OpBuilder builder;
  mlir::IRMapping map;
  /// Blocks of the original that are cloned op by op.
  llvm::SmallPtrSet<mlir::Block *, 4> blocks;
  /// The dimensions of tensors of the clone.
  llvm::DenseMap<mlir::Value, Dims> dims;
  llvm::DenseMap<mlir::Value, std::optional<SizeTable>> tables, largerTables;
  llvm::DenseMap<mlir::Value, mlir::Value> inCall;
  /// Masks by stride and extent, and masked tensors by their source.
  llvm::SmallVector<std::pair<PaddedDim, mlir::Value>> masks;
  struct MaskedTensor {
    mlir::Value tensor;
    llvm::SmallVector<int64_t> dims;
    mlir::Attribute neutral;
    mlir::Value result;
  };
  llvm::SmallVector<MaskedTensor> maskedTensors;
  mlir::Value callSize;
  StaticFunction result;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_SPECIALIZESHAPES_CLONER_H
