//===- TransposeLanes.cpp - transpose squares of lanes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TransposeLanes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

bool pruner::isNarrow(Type element) {
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= 16;
}

/// Each round interleaves row n with row n + size / 2, which gives rows 2 n and
/// 2 n + 1. This rotates the bits of an element's row and column by one.
static void interleaveRounds(OpBuilder &builder, Location loc,
                             MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  int64_t lanes = cast<VectorType>(rows.front().getType()).getDimSize(0);
  SmallVector<int64_t> low, high;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    int64_t square = lane / size * size, place = lane % size;
    int64_t from = square + place / 2 + (place % 2) * lanes;
    low.push_back(from);
    high.push_back(from + size / 2);
  }
  for (int64_t round = 1; round < size; round *= 2) {
    SmallVector<Value> next;
    for (int64_t row = 0; row < size / 2; ++row)
      for (ArrayRef<int64_t> mask : {low, high})
        next.push_back(vector::ShuffleOp::create(builder, loc, rows[row],
                                                 rows[row + size / 2], mask));
    llvm::copy(next, rows.begin());
  }
}

/// Each round exchanges the lanes whose number has bit `bit` with the lanes
/// without it of the vector `bit` further.
void pruner::transposeLanes(OpBuilder &builder, Location loc,
                            MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  auto type = cast<VectorType>(rows.front().getType());
  if (isNarrow(type.getElementType()))
    return interleaveRounds(builder, loc, rows);
  int64_t lanes = type.getDimSize(0);
  for (int64_t bit = 1; bit < size; bit *= 2) {
    SmallVector<int64_t> upper, lower;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      upper.push_back(lane & bit ? lanes + lane - bit : lane);
      lower.push_back(lane & bit ? lanes + lane : lane + bit);
    }
    for (int64_t row = 0; row < size; ++row) {
      if (row & bit)
        continue;
      Value a = rows[row], b = rows[row + bit];
      rows[row] = vector::ShuffleOp::create(builder, loc, a, b, upper);
      rows[row + bit] = vector::ShuffleOp::create(builder, loc, a, b, lower);
    }
  }
}

void pruner::storePieces(OpBuilder &builder, Location loc, Value vector,
                         int64_t count,
                         llvm::function_ref<void(Value, int64_t)> store) {
  int64_t size = cast<VectorType>(vector.getType()).getDimSize(0), done = 0;
  for (int64_t piece = size; done < count; piece /= 2) {
    if (piece > count - done)
      continue;
    Value value = vector;
    if (piece == 1) {
      value = vector::ExtractOp::create(builder, loc, vector,
                                        ArrayRef<int64_t>{done});
    } else if (piece < size) {
      auto some = llvm::to_vector(llvm::seq<int64_t>(done, done + piece));
      value = vector::ShuffleOp::create(builder, loc, vector, vector, some);
    }
    store(value, done);
    done += piece;
  }
}
