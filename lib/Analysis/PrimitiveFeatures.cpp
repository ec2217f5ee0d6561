//===- PrimitiveFeatures.cpp - features of primitives ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/PrimitiveFeatures.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;

/// Writes into a row of zeros.
static void fillRow(unsigned type, unsigned types,
                    llvm::ArrayRef<int64_t> parameters, float *row) {
  row[type] = 1;
  size_t room = kPrimitiveFeatureSize - types;
  for (auto [n, value] : llvm::enumerate(
           parameters.take_front(std::min(room, parameters.size()))))
    row[types + n] = float(value);
}

void pruner::appendPrimitiveRow(unsigned type, unsigned types,
                                llvm::ArrayRef<int64_t> parameters,
                                std::vector<float> &rows) {
  size_t begin = rows.size();
  rows.resize(begin + kPrimitiveFeatureSize);
  fillRow(type, types, parameters, rows.data() + begin);
}

std::vector<float> pruner::primitiveRows(llvm::ArrayRef<Primitive> sequence) {
  unsigned types = primitiveTypeCount();
  std::vector<float> rows(sequence.size() * kPrimitiveFeatureSize);
  float *row = rows.data();
  for (const Primitive &primitive : sequence) {
    fillRow(primitive.type, types, primitive.parameters, row);
    row += kPrimitiveFeatureSize;
  }
  return rows;
}
