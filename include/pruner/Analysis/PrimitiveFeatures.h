//===- PrimitiveFeatures.h - primitives as rows of numbers ------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The features of TLP (ASPLOS 2023, section 4): a primitive becomes its type as
// a one-hot vector and its parameters behind it, names as tokens, numbers as
// they are. A row has kPrimitiveFeatureSize columns; what reaches beyond is cut
// off, the rest is zeros. Sequences are cut by the model that reads them.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_ANALYSIS_PRIMITIVEFEATURES_H
#define PRUNER_ANALYSIS_PRIMITIVEFEATURES_H

#include "pruner/CostModel/Features.h"
#include "pruner/Sketch/Primitives.h"

#include <vector>

namespace pruner {

/// Appends the row of a primitive of the type numbered `type` of `types`.
void appendPrimitiveRow(unsigned type, unsigned types,
                        llvm::ArrayRef<int64_t> parameters,
                        std::vector<float> &rows);

/// A row for each primitive of a schedule, in order.
std::vector<float> primitiveRows(llvm::ArrayRef<Primitive> sequence);

} // namespace pruner

#endif // PRUNER_ANALYSIS_PRIMITIVEFEATURES_H
