//===- PrimitiveFeatures.h - features of primitives -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The features of TLP (ASPLOS 2023, section 4). The row of a primitive holds
// its type as a one-hot vector and then its parameters: names as tokens,
// numbers unchanged. A row has kPrimitiveFeatureSize columns; longer rows are
// cropped and shorter ones filled with zeros. Models crop the sequence.

#ifndef PRUNER_ANALYSIS_PRIMITIVEFEATURES_H
#define PRUNER_ANALYSIS_PRIMITIVEFEATURES_H

#include "pruner/CostModel/Features.h"
#include "pruner/Sketch/Primitives.h"

#include <vector>

namespace pruner {

/// Appends the row of a primitive of the type with number `type` out of
/// `types`.
void appendPrimitiveRow(unsigned type, unsigned types,
                        llvm::ArrayRef<int64_t> parameters,
                        std::vector<float> &rows);

/// One row for each primitive of a schedule, in order.
std::vector<float> primitiveRows(llvm::ArrayRef<Primitive> sequence);

} // namespace pruner

#endif // PRUNER_ANALYSIS_PRIMITIVEFEATURES_H
