//===- Steps.cpp - helpers that emit transform ops ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Steps.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/TransformOps/TensorTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/LoopExtension/LoopExtensionOps.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtensionOps.h"
#include "mlir/Dialect/Vector/TransformOps/VectorTransformOps.h"

using namespace mlir;
using namespace pruner;

Type Steps::anyOp() const {
  return transform::AnyOpType::get(builder.getContext());
}

Type Steps::param() const {
  return transform::ParamType::get(builder.getContext(), builder.getI64Type());
}

ArrayAttr Steps::names(ArrayRef<StringRef> names) const {
  return builder.getStrArrayAttr(names);
}

//===----------------------------------------------------------------------===//
// Handles
//===----------------------------------------------------------------------===//

Value Steps::makerOf(Value op, unsigned operand) {
  return transform::GetProducerOfOperand::create(builder, loc, anyOp(), op,
                                                 operand);
}

Value Steps::readerOf(Value op) {
  return transform::GetConsumersOfResult::create(builder, loc, anyOp(), op,
                                                 builder.getI64IntegerAttr(0));
}

Value Steps::marked(Value root, StringRef name, StringRef value) {
  return transform::MatchOp::create(
      builder, loc, anyOp(), root, ArrayAttr(),
      transform::MatchInterfaceEnumAttr(),
      builder.getDictionaryAttr(
          builder.getNamedAttr(name, builder.getStringAttr(value))),
      TypeAttr(), ArrayAttr());
}

Value Steps::genericsIn(Value root) {
  return transform::MatchOp::create(builder, loc, root,
                                    ArrayRef<StringRef>{"linalg.generic"});
}

Value Steps::functionOf(Value op) {
  return transform::GetParentOp::create(
      builder, loc, anyOp(), op, /*isolated_from_above=*/true,
      /*allow_empty_results=*/false, StringAttr());
}

Value Steps::loopsIn(Value root) {
  return transform::MatchOp::create(
      builder, loc, anyOp(), root, ArrayAttr(),
      transform::MatchInterfaceEnumAttr::get(
          builder.getContext(),
          transform::MatchInterfaceEnum::LoopLikeInterface),
      DictionaryAttr(), TypeAttr(), ArrayAttr());
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value Steps::constant(int64_t value) {
  return transform::ParamConstantOp::create(builder, loc, param(),
                                            builder.getI64IntegerAttr(value));
}

Value Steps::constants(ArrayRef<int64_t> values) {
  if (values.size() == 1)
    return constant(values.front());
  SmallVector<Value> each;
  for (int64_t value : values)
    each.push_back(constant(value));
  return transform::MergeHandlesOp::create(builder, loc, param(), each);
}

Value Steps::text(StringRef value) {
  return transform::ParamConstantOp::create(
      builder, loc, transform::AnyParamType::get(builder.getContext()),
      builder.getStringAttr(value));
}

Value Steps::knob(StringRef name, int64_t selected, ArrayRef<int64_t> options) {
  return transform::tune::KnobOp::create(
      builder, loc, param(), builder.getStringAttr(name),
      builder.getI64ArrayAttr(options), builder.getI64IntegerAttr(selected));
}

//===----------------------------------------------------------------------===//
// Transformations
//===----------------------------------------------------------------------===//

Value Steps::generalize(Value op) {
  return transform::GeneralizeOp::create(builder, loc, anyOp(), op);
}

Steps::Tiled Steps::tileToForall(Value op, Sizes sizes) {
  auto tiled = transform::TileUsingForallOp::create(builder, loc, op, sizes,
                                                    transform::TileSizesSpec());
  return {tiled.getTiledOp(), {tiled.getForallOp()}};
}

Steps::Tiled Steps::tileToLoops(Value op, Sizes sizes,
                                ArrayRef<int64_t> order) {
  auto tiled =
      transform::TileUsingForOp::create(builder, loc, op, sizes, order);
  return {tiled.getTiledLinalgOp(),
          llvm::to_vector_of<Value>(tiled.getLoops())};
}

Value Steps::fuse(Value producer, Value &loop) {
  auto fused = transform::FuseIntoContainingOp::create(builder, loc, anyOp(),
                                                       anyOp(), producer, loop);
  loop = fused.getNewContainingOp();
  return fused.getFusedOp();
}

std::pair<Value, Value> Steps::split(Value op, unsigned loop, int64_t point) {
  Value both = transform::SplitOp::create(
      builder, loc, anyOp(), op, uint64_t(loop), Value(), uint64_t(point));
  auto parts = transform::SplitHandleOp::create(builder, loc, both, 2);
  return {parts->getResult(0), parts->getResult(1)};
}

Value Steps::interchange(Value op, ArrayRef<int64_t> order) {
  return transform::InterchangeOp::create(builder, loc, anyOp(), op, order);
}

void Steps::vectorize(Value op) {
  transform::VectorizeOp::create(builder, loc, op, ValueRange(),
                                 ArrayRef<int64_t>(), UnitAttr(), UnitAttr(),
                                 UnitAttr());
}

void Steps::unroll(Value loop, int64_t factor) {
  transform::LoopUnrollOp::create(builder, loc, loop, uint64_t(factor));
}

void Steps::hoist(Value loops) {
  transform::HoistLoopInvariantSubsetsOp::create(builder, loc, loops);
}

void Steps::eraseDead(Value function) {
  transform::ApplyDeadCodeEliminationOp::create(builder, loc, function);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

void Steps::mergeSlices(Value target) {
  transform::ApplyPatternsOp::create(
      builder, loc, target, [](OpBuilder &b, Location l) {
        transform::ApplyMergeConsecutiveInsertExtractSlicePatternsOp::create(b,
                                                                             l);
      });
}

void Steps::foldUnitDims(Value target) {
  transform::ApplyPatternsOp::create(
      builder, loc, target, [](OpBuilder &b, Location l) {
        transform::ApplyFoldUnitExtentDimsViaSlicesPatternsOp::create(b, l);
      });
}

void Steps::canonicalize(Value target) {
  transform::ApplyPatternsOp::create(
      builder, loc, target, [](OpBuilder &b, Location l) {
        transform::ApplyCanonicalizationPatternsOp::create(b, l);
        transform::ApplyMergeConsecutiveInsertExtractSlicePatternsOp::create(b,
                                                                             l);
      });
}

void Steps::formContractions(Value target) {
  // Before canonicalization, which would change a sum over one element.
  transform::ApplyPatternsOp::create(
      builder, loc, target, [](OpBuilder &b, Location l) {
        transform::ApplyVectorReductionToContractPatternsOp::create(b, l);
        transform::ApplyTransferPermutationPatternsOp::create(b, l);
      });
}

void Steps::foldSlicesIntoVectors(Value target) {
  transform::ApplyPatternsOp::create(
      builder, loc, target, [](OpBuilder &b, Location l) {
        transform::ApplyCanonicalizationPatternsOp::create(b, l);
        transform::ApplyFoldTensorSubsetOpsIntoVectorTransfersPatternsOp::
            create(b, l);
        transform::ApplyMergeConsecutiveInsertExtractSlicePatternsOp::create(b,
                                                                             l);
        transform::ApplyFoldTensorSubsetOpsPatternsOp::create(b, l);
      });
}

transform::NamedSequenceOp
pruner::makeSequence(Steps &steps, StringRef name, unsigned inputs,
                     unsigned results, bool consumes,
                     llvm::function_ref<SmallVector<Value>(ValueRange)> fill) {
  OpBuilder &builder = steps.builder;
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> inputTypes(inputs, steps.anyOp());
  SmallVector<Type> resultTypes(results, steps.anyOp());
  auto effect = builder.getDictionaryAttr(builder.getNamedAttr(
      consumes ? transform::TransformDialect::kArgConsumedAttrName
               : transform::TransformDialect::kArgReadOnlyAttrName,
      builder.getUnitAttr()));
  SmallVector<Attribute> effects(inputs, effect);
  auto sequence = transform::NamedSequenceOp::create(
      builder, steps.loc, builder.getStringAttr(name),
      TypeAttr::get(builder.getFunctionType(inputTypes, resultTypes)),
      StringAttr(), builder.getArrayAttr(effects), ArrayAttr());
  Block *body = builder.createBlock(&sequence.getBody(), {}, inputTypes,
                                    SmallVector<Location>(inputs, steps.loc));
  SmallVector<Value> yielded = fill(body->getArguments());
  transform::YieldOp::create(builder, steps.loc, yielded);
  return sequence;
}
