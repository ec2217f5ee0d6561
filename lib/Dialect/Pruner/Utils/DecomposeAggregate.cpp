//===- DecomposeAggregate.cpp - ops on whole tensors ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"

#include "DecomposeGather.h"

#include "pruner/Dialect/Pruner/Utils/MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;

bool pruner::isAggregate(Operation *op) {
  return isa<linalg::SoftmaxOp, linalg::PackOp, linalg::UnPackOp,
             tensor::GatherOp, tensor::ScatterOp, tensor::BitcastOp>(op);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << type << "'";
  return text;
}

static std::string checkSoftmax(linalg::SoftmaxOp op) {
  if (!op.hasPureTensorSemantics())
    return "the op works on buffers, expected tensors";
  // Upstream's decomposition crashes on integers.
  Type element = getElementTypeOrSelf(op.getInput().getType());
  if (!isa<FloatType>(element))
    return "elements of type " + textOf(element) + ", expected floats";
  return "";
}

template <typename Op> static std::string checkTiles(Op op) {
  if (ShapedType::isDynamicShape(op.getStaticInnerTiles()))
    return "inner tiles of dynamic size, expected constants";
  return "";
}

static std::string checkPack(linalg::PackOp op) {
  if (std::string why = checkTiles(op); !why.empty())
    return why;
  // The amount of padding would have to be computed at run time.
  for (int64_t dim : op.getInnerDimsPos())
    if (op.getSourceType().isDynamicDim(dim))
      return "a packed dimension of dynamic extent, expected a static one";
  return "";
}

/// An integer type with the bits of an integer or float type, or null.
static Type signlessOf(Type type) {
  if (isa<IntegerType>(type))
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth());
  return isa<FloatType>(type) ? type : Type();
}

static std::string checkBitcast(tensor::BitcastOp op) {
  for (Type type : {op.getSource().getType(), op.getType()}) {
    if (!isa<RankedTensorType>(type))
      return "type " + textOf(type) + ", expected a ranked tensor";
    if (!signlessOf(getElementTypeOrSelf(type)))
      return "elements of type " + textOf(getElementTypeOrSelf(type)) +
             ", expected integers or floats";
  }
  return "";
}

std::string pruner::whyNotDecomposed(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([](linalg::SoftmaxOp each) { return checkSoftmax(each); })
      .Case([](linalg::PackOp each) { return checkPack(each); })
      .Case([](linalg::UnPackOp each) { return checkTiles(each); })
      .Case([](tensor::BitcastOp each) { return checkBitcast(each); })
      .Default([](Operation *) { return std::string(); });
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

static LogicalResult decomposeSoftmax(RewriterBase &rewriter,
                                      linalg::SoftmaxOp op) {
  FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
  if (failed(results) || results->size() != op->getNumResults())
    return failure();
  rewriter.replaceOp(op, *results);
  return success();
}

static LogicalResult decomposePack(RewriterBase &rewriter, linalg::PackOp op) {
  return success(succeeded(
      linalg::lowerPack(rewriter, op, /*lowerPadLikeWithInsertSlice=*/false)));
}

static LogicalResult decomposeUnPack(RewriterBase &rewriter,
                                     linalg::UnPackOp op) {
  return success(succeeded(linalg::lowerUnPack(
      rewriter, op, /*lowerUnpadLikeWithExtractSlice=*/false)));
}

static LogicalResult decomposeBitcast(RewriterBase &rewriter,
                                      tensor::BitcastOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getType());
  Type from = getElementTypeOrSelf(op.getSource().getType()),
       to = type.getElementType();
  SmallVector<OpFoldResult> extents =
      tensor::getMixedSizes(rewriter, loc, op.getSource());
  Value empty = tensor::EmptyOp::create(rewriter, loc, extents, to);
  // Arithmetic has no signed types. A cast to a signless type moves no bits.
  auto as = [](OpBuilder &builder, Location loc, Value value, Type type) {
    if (value.getType() == type)
      return value;
    return UnrealizedConversionCastOp::create(builder, loc, type, value)
        .getResult(0);
  };
  auto body = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    Value bits = as(builder, loc, arguments[0], signlessOf(from));
    if (signlessOf(from) != signlessOf(to))
      bits = arith::BitcastOp::create(builder, loc, signlessOf(to), bits);
    return as(builder, loc, bits, to);
  };
  Value result =
      mapElements(rewriter, loc, empty, op.getSource(),
                  rewriter.getMultiDimIdentityMap(type.getRank()), body);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(op, result);
  return success();
}

LogicalResult pruner::decomposeAggregate(RewriterBase &rewriter,
                                         Operation *op) {
  if (!whyNotDecomposed(op).empty())
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](linalg::SoftmaxOp each) {
        return decomposeSoftmax(rewriter, each);
      })
      .Case([&](linalg::PackOp each) { return decomposePack(rewriter, each); })
      .Case([&](linalg::UnPackOp each) {
        return decomposeUnPack(rewriter, each);
      })
      .Case([&](tensor::BitcastOp each) {
        return decomposeBitcast(rewriter, each);
      })
      .Case([&](tensor::GatherOp each) {
        return decomposeGather(rewriter, each);
      })
      .Case([&](tensor::ScatterOp each) {
        return decomposeScatter(rewriter, each);
      })
      .Default([](Operation *) { return failure(); });
}

SmallVector<Operation *>
pruner::decomposeAggregates(RewriterBase &rewriter, Operation *root,
                            llvm::function_ref<void(Operation *)> onRewrite) {
  SmallVector<Operation *> ops, left;
  root->walk([&](Operation *op) {
    if (isAggregate(op))
      (whyNotDecomposed(op).empty() ? ops : left).push_back(op);
  });
  for (Operation *op : ops) {
    if (onRewrite)
      onRewrite(op);
    if (failed(decomposeAggregate(rewriter, op)))
      left.push_back(op);
  }
  return left;
}
