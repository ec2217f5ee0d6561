//===- ElementData.h - buffers of any element type --------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_VERIFICATION_ELEMENTDATA_H
#define PRUNER_VERIFICATION_ELEMENTDATA_H

#include "pruner/Program/Task.h"
#include "pruner/Support/Random.h"
#include <cstdint>
#include <vector>

namespace pruner {

/// Element `index` of a buffer as a double. Exact for every type but I64
/// beyond 2^53.
double readElement(const void *data, ElementType type, int64_t index);

/// Writes `value`, which must be representable in `type`.
void writeElement(void *data, ElementType type, int64_t index, double value);

bool isFloat(ElementType type);

/// Significand bits of a floating type, the implicit one included: integers up
/// to 2^bits are exact in it. 63 for integers, which never round.
int precisionBits(ElementType type);

/// Half the distance from 1 to the next number: u = 2^-bits.
double unitRoundoff(ElementType type);

/// The smallest normal number.
double smallestNormal(ElementType type);

/// What input buffers are filled with.
struct InputRange {
  /// Floats and integers are integers in [-magnitude, magnitude] ...
  int64_t magnitude = 8;
  /// ... and zero except for about one in `sparsity`.
  int64_t sparsity = 1;
  /// Integers in [0, indexBelow) instead, when positive: they address a tensor.
  int64_t indexBelow = 0;
};

/// Fills `count` elements with random integers of `range`.
void fillIntegers(void *data, ElementType type, int64_t count,
                  const InputRange &range, Random &random);

/// Fills floats with random multiples of `type`'s u in [-1, 1), so that the
/// values are exact in `type` and have full significands; integers with values
/// over their full width (or below range.indexBelow).
void fillReals(void *data, ElementType type, int64_t count,
               const InputRange &range, Random &random);

} // namespace pruner

#endif // PRUNER_VERIFICATION_ELEMENTDATA_H
