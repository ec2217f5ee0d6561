//===- MapElements.cpp - tensors computed element by element --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/MapElements.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value pruner::mapElements(OpBuilder &builder, Location loc, Value init,
                          ValueRange inputs, ArrayRef<AffineMap> maps,
                          ElementBody body) {
  unsigned rank = cast<RankedTensorType>(init.getType()).getRank();
  SmallVector<AffineMap> all(maps);
  all.push_back(builder.getMultiDimIdentityMap(rank));
  return linalg::GenericOp::create(
             builder, loc, init.getType(), inputs, init, all,
             SmallVector<utils::IteratorType>(rank,
                                              utils::IteratorType::parallel),
             [&](OpBuilder &inner, Location loc, ValueRange elements) {
               linalg::YieldOp::create(inner, loc,
                                       body(inner, loc, elements.drop_back()));
             })
      .getResult(0);
}

Value pruner::mapElements(OpBuilder &builder, Location loc,
                          RankedTensorType type, ValueRange inputs,
                          ArrayRef<AffineMap> maps, ElementBody body) {
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                       type.getElementType());
  return mapElements(builder, loc, init, inputs, maps, body);
}

Value pruner::mapElements(OpBuilder &builder, Location loc, Value input,
                          Type element, ElementBody body) {
  auto type = cast<RankedTensorType>(input.getType());
  return mapElements(builder, loc, type.clone(element), input,
                     builder.getMultiDimIdentityMap(type.getRank()), body);
}
