//===- EmitPacking.cpp - functions that pack constants --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Transforms/EmitPacking.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Recognition/Operands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace pruner;

namespace {

/// Emits loops over the packed memory, in its order.
class PackingLoops {
public:
  PackingLoops(OpBuilder &builder, Location loc, Value from, Value to,
               const BufferDesc &buffer)
      : builder(builder), loc(loc), from(from), to(to), buffer(buffer) {}

  void emit() {
    if (at.size() < buffer.shape.size()) {
      auto loop = scf::ForOp::create(builder, loc, index(0),
                                     index(buffer.shape[at.size()]), index(1));
      at.push_back(loop.getInductionVar());
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      return emit();
    }
    SmallVector<Value> coords = coordinates();
    Value inside = isInside(coords);
    Value element =
        inside ? orZero(inside, coords)
               : memref::LoadOp::create(builder, loc, from, coords).getResult();
    memref::StoreOp::create(builder, loc, element, to, at);
  }

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  /// c = (c floordiv n) * n + c mod n.
  SmallVector<Value> coordinates() {
    SmallVector<Value> coords(buffer.tensorShape.size());
    for (auto [p, term] : llvm::enumerate(buffer.layout)) {
      Value part = at[p];
      if (term.div != 1)
        part = arith::MulIOp::create(builder, loc, part, index(term.div));
      Value &sum = coords[term.coord];
      sum = sum ? arith::AddIOp::create(builder, loc, sum, part) : part;
    }
    // A coordinate that does not occur in the layout has one element.
    for (Value &coord : coords)
      if (!coord)
        coord = index(0);
    return coords;
  }

  /// True inside the tensor; null if the memory holds only the tensor.
  Value isInside(ArrayRef<Value> coords) {
    if (llvm::product_of(buffer.tensorShape, int64_t(1)) == buffer.elements())
      return Value();
    Value all;
    for (auto [coord, extent] : llvm::zip_equal(coords, buffer.tensorShape)) {
      Value below = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, coord, index(extent));
      all = all ? arith::AndIOp::create(builder, loc, all, below) : below;
    }
    return all;
  }

  Value orZero(Value inside, ArrayRef<Value> coords) {
    Type type = cast<MemRefType>(from.getType()).getElementType();
    auto choice = scf::IfOp::create(builder, loc, type, inside,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(choice.thenBlock());
    Value element = memref::LoadOp::create(builder, loc, from, coords);
    scf::YieldOp::create(builder, loc, element);
    builder.setInsertionPointToStart(choice.elseBlock());
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    scf::YieldOp::create(builder, loc, zero);
    return choice.getResult(0);
  }

  OpBuilder &builder;
  Location loc;
  Value from, to;
  const BufferDesc &buffer;
  SmallVector<Value> at;
};

} // namespace

std::pair<func::FuncOp, func::FuncOp>
pruner::emitPacking(OpBuilder &builder, Location loc, StringRef name,
                    RankedTensorType tensor, const BufferDesc &buffer) {
  Type element = tensor.getElementType();
  auto from = MemRefType::get(tensor.getShape(), element);
  auto to = MemRefType::get(buffer.shape, element);
  auto packed = RankedTensorType::get(buffer.shape, element);
  auto function = func::FuncOp::create(
      builder, loc, name, builder.getFunctionType({tensor}, {packed}));
  auto kernel = func::FuncOp::create(builder, loc, (name + "_kernel").str(),
                                     builder.getFunctionType({from, to}, {}));
  function->setAttr(PrunerDialect::getPackAttrName(), builder.getUnitAttr());
  function.setPrivate();
  kernel.setPrivate();
  NamedAttrList work;
  work.set("flops", builder.getI64IntegerAttr(0));
  work.set("bytes",
           builder.getI64IntegerAttr(bytesOf(tensor) + bytesOf(packed)));
  kernel->setAttr(PrunerDialect::getWorkAttrName(),
                  work.getDictionary(builder.getContext()));

  OpBuilder::InsertionGuard guard(builder);
  Block *body = kernel.addEntryBlock();
  builder.setInsertionPointToStart(body);
  PackingLoops(builder, loc, body->getArgument(0), body->getArgument(1), buffer)
      .emit();
  func::ReturnOp::create(builder, loc);

  body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  Value source = bufferization::ToBufferOp::create(
      builder, loc, from, body->getArgument(0), builder.getUnitAttr());
  Value target =
      memref::AllocOp::create(builder, loc, to, builder.getI64IntegerAttr(64));
  func::CallOp::create(builder, loc, kernel, ValueRange{source, target});
  Value result = bufferization::ToTensorOp::create(
      builder, loc, packed, target, /*restrict=*/true, /*writable=*/true);
  func::ReturnOp::create(builder, loc, result);
  return {function, kernel};
}
