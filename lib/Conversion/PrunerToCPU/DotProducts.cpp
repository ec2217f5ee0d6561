//===- DotProducts.cpp - updates by dot products of vectors ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComputeLowering.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/IR/ElementTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

/// Bits of an accumulator, which are also those of its share of the factors.
static constexpr unsigned kLaneBits = 32;

/// Emits the reduction. If a is shifted, each vector of b has one more
/// accumulator for 128 times its sums, which are subtracted at the end.
SmallVector<Value>
ComputeLowering::reduceByInstruction(ArrayRef<Value> accumulators) {
  auto isSigned = matchExactProduct(op.getBody().front());
  bInput = usesDim(op.getMap(0), laneDim) ? 0 : 1;
  aInput = 1 - bInput;
  factors = *instruction->factorsOf((*isSigned)[aInput], (*isSigned)[bInput]);
  aSigned = (*isSigned)[aInput];
  bSigned = (*isSigned)[bInput];
  std::map<SmallVector<int64_t>, unsigned> numbers;
  bVectors.clear();
  for (const auto &offset : offsets)
    bVectors.push_back(
        numbers.try_emplace(loadKey(bInput, offset), numbers.size())
            .first->second);
  if (!factors.shiftsA)
    return reduce(0, accumulators, {});
  SmallVector<Value> all(accumulators);
  Type type = accumulators.front().getType();
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  all.append(numbers.size(), zero);
  all = reduce(0, all, {});
  SmallVector<Value> sums;
  for (auto [place, number] : llvm::enumerate(bVectors))
    sums.push_back(arith::SubIOp::create(builder, loc, all[place],
                                         all[offsets.size() + number]));
  return sums;
}

/// One step of the reduction for all places.
SmallVector<Value> ComputeLowering::multiply(ArrayRef<Value> accumulators,
                                             ArrayRef<IndexForm> extra) {
  Cache cache;
  SmallVector<Value> sums(accumulators);
  for (auto [place, offset] : llvm::enumerate(offsets)) {
    Value &a = cache[loadKey(aInput, offset)];
    if (!a)
      a = loadShared(offset, extra);
    Value &b = cache[loadKey(bInput, offset)];
    if (!b) {
      b = extendFactors(
          loadNeighbors(bInput, offset, extra, lanes * instruction->group),
          bSigned);
      if (factors.shiftsA) {
        Value &sum = sums[offsets.size() + bVectors[place]];
        auto type = cast<VectorType>(b.getType());
        Value half = arith::ConstantOp::create(
            builder, loc,
            DenseElementsAttr::get(
                type, APInt::getSignedMinValue(type.getElementTypeBitWidth())));
        sum = multiplyAdd(sum, half, b);
      }
    }
    sums[place] = multiplyAdd(sums[place], a, b);
  }
  return sums;
}

/// `count` contiguous elements of input `n`, beginning at a place.
Value ComputeLowering::loadNeighbors(unsigned n, ArrayRef<int64_t> offset,
                                     ArrayRef<IndexForm> extra, int64_t count) {
  const FlatBuffer &buffer = parent.flat(operand(n));
  bool global = isa<BlockArgument>(operand(n));
  Value at = address(n, place(offset, extra, 0, global, kNoDim));
  return vector::LoadOp::create(builder, loc,
                                VectorType::get({count}, buffer.element()),
                                buffer.memref, ValueRange{at});
}

/// The operands as factors of the instruction.
Value ComputeLowering::extendFactors(Value operands, bool isSigned) {
  if (!instruction->extends())
    return operands;
  auto type = cast<VectorType>(operands.getType())
                  .clone(fromElementType(instruction->factorType,
                                         builder.getContext()));
  if (isSigned)
    return arith::ExtSIOp::create(builder, loc, type, operands);
  return arith::ExtUIOp::create(builder, loc, type, operands);
}

/// The neighbors of input a in every lane.
Value ComputeLowering::loadShared(ArrayRef<int64_t> offset,
                                  ArrayRef<IndexForm> extra) {
  Value group = extendFactors(
      loadNeighbors(aInput, offset, extra, instruction->group), aSigned);
  auto neighbors = cast<VectorType>(group.getType());
  Type word = builder.getIntegerType(kLaneBits);
  Value one = vector::BitCastOp::create(builder, loc,
                                        VectorType::get({1}, word), group);
  Value all = vector::BroadcastOp::create(
      builder, loc, VectorType::get({lanes}, word),
      vector::ExtractOp::create(builder, loc, one, ArrayRef<int64_t>{0}));
  auto type =
      VectorType::get({lanes * instruction->group}, neighbors.getElementType());
  Value a = vector::BitCastOp::create(builder, loc, type, all);
  if (!factors.shiftsA)
    return a;
  Value half = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type, APInt::getSignedMinValue(type.getElementTypeBitWidth())));
  return arith::XOrIOp::create(builder, loc, a, half);
}

Value ComputeLowering::multiplyAdd(Value sum, Value a, Value b) {
  if (factors.bFirst)
    std::swap(a, b);
  int64_t bytes = lanes * kLaneBits / 8;
  auto call = [&](ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(
               builder, loc, sum.getType(),
               builder.getStringAttr(instruction->width(bytes)->intrinsic),
               operands)
        .getResult(0);
  };
  if (instruction->addsApart())
    return arith::AddIOp::create(builder, loc, sum, call({a, b}));
  return call({sum, a, b});
}
