//===- TransposeLanes.cpp - transpose squares of lanes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TransposeLanes.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// Each round exchanges the lanes whose number has bit `bit` with the lanes
/// without it of the vector `bit` further.
void pruner::transposeLanes(OpBuilder &builder, Location loc,
                            MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  int64_t lanes = cast<VectorType>(rows.front().getType()).getDimSize(0);
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
